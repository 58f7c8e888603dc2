/** An error with an HTTP status; the caller receives `message`. */
export class GatewayError extends Error {
  override readonly name: string = "GatewayError";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** 400: the request is not a command that the gateway can send. */
export class BadRequest extends GatewayError {
  override readonly name = "BadRequest";

  constructor(reason: string) {
    super(400, `ERR ${reason}`);
  }
}

/** 400: the client disconnected, or its body is not valid HTTP. Nothing was run. */
export class BodyMissing extends GatewayError {
  override readonly name = "BodyMissing";

  constructor() {
    super(400, "ERR the body did not arrive");
  }
}

/** 401, the same for a missing and for a wrong token. */
export class Unauthorized extends GatewayError {
  override readonly name = "Unauthorized";

  constructor() {
    super(401, "Unauthorized");
  }
}

/** 405: the method is not HEAD, GET, POST or PUT. */
export class MethodNotAllowed extends GatewayError {
  override readonly name = "MethodNotAllowed";

  constructor() {
    super(405, "Method Not Allowed", { allow: "HEAD, GET, POST, PUT" });
  }
}

/** 413: the request body is larger than the limit. */
export class BodyTooLarge extends GatewayError {
  override readonly name = "BodyTooLarge";

  constructor(limit: number) {
    super(413, `ERR request body is larger than ${limit} bytes`);
  }
}

/** 413: the request has more commands than allowed; none of them was sent. */
export class PipelineTooLong extends GatewayError {
  override readonly name = "PipelineTooLong";

  constructor(limit: number) {
    super(413, `ERR more than ${limit} commands in one request`);
  }
}

/** 415: the body is compressed or otherwise encoded. Nothing was run. */
export class UnsupportedEncoding extends GatewayError {
  override readonly name = "UnsupportedEncoding";

  constructor() {
    super(415, "ERR a body must not have a Content-Encoding", { "accept-encoding": "identity" });
  }
}

/** 429: more requests per second than the token may make. Nothing was run; a retry is safe. */
export class TooManyRequests extends GatewayError {
  override readonly name = "TooManyRequests";

  /** @param retryAfterS the number of seconds after which there is room again */
  constructor(perSecond: number, retryAfterS: number) {
    super(429, `ERR more than ${perSecond} requests a second: nothing was sent`, {
      "retry-after": String(retryAfterS),
    });
  }
}

/**
 * 503: Redis is unreachable. Nothing was run; a retry is safe. It has no `Retry-After` at first: most interruptions
 * last some milliseconds, so a client does better by its own back-off than by waiting for a whole second.
 */
export class NotSent extends GatewayError {
  override readonly name: string = "NotSent";

  constructor(reason = "Redis is not reachable", headers: Readonly<Record<string, string>> = {}) {
    super(503, `${reason}: nothing was sent`, headers);
  }
}

/** 503: there is no room for the request. Nothing was run; a retry after a second is safe. */
export class NoRoom extends NotSent {
  override readonly name = "NoRoom";

  constructor(reason: string) {
    super(reason, { "retry-after": "1" });
  }
}

/** 504: the commands were sent and there was no reply. They may have run, or may still run. */
export class NoAnswer extends GatewayError {
  override readonly name = "NoAnswer";

  constructor(reason = "No answer from Redis: what was sent may have run") {
    super(504, reason);
  }
}

/** 504: the commands have run, and their replies are too large to pass on. */
export class ReplyTooLarge extends NoAnswer {
  constructor(reason = "the reply is larger than there is room for: what was sent has run") {
    super(reason);
  }
}
