/** An error with an HTTP status; the caller receives `message`. */
export class RestError extends Error {
  override readonly name: string = "RestError";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** 400: the request is not a command that a server can run. */
export class BadRequest extends RestError {
  override readonly name = "BadRequest";

  constructor(reason: string) {
    super(400, `ERR ${reason}`);
  }
}

/** 405: the method is not HEAD, GET, POST or PUT. */
export class MethodNotAllowed extends RestError {
  override readonly name = "MethodNotAllowed";

  constructor() {
    super(405, "Method Not Allowed", { allow: "HEAD, GET, POST, PUT" });
  }
}

/** 413: the request has more commands than allowed; none of them was run. */
export class PipelineTooLong extends RestError {
  override readonly name = "PipelineTooLong";

  constructor(limit: number) {
    super(413, `ERR more than ${limit} commands in one request`);
  }
}

/** 415: the body is compressed or otherwise encoded. Nothing was run. */
export class UnsupportedEncoding extends RestError {
  override readonly name = "UnsupportedEncoding";

  constructor() {
    super(415, "ERR a body must not have a Content-Encoding", { "accept-encoding": "identity" });
  }
}
