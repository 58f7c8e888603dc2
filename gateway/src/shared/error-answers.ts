import { RestError as GatewayError } from "leasehold-engine/rest";

export { BadRequest } from "leasehold-engine/rest";
export { GatewayError };

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

/** 413: the request body is larger than the limit. */
export class BodyTooLarge extends GatewayError {
  override readonly name = "BodyTooLarge";

  constructor(limit: number) {
    super(413, `ERR request body is larger than ${limit} bytes`);
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
