/** A short text such as OK, which is not a stored string. */
export class Status {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** An error in Redis's form: a code in capitals, and a sentence. Commands throw it; it is also a reply. */
export class ErrorReply extends Error {}

/** A string has one character for each byte. An integer beyond 2^53 is a bigint. */
export type Reply = string | number | bigint | null | Status | ErrorReply | readonly Reply[];

export const OK: Status = new Status("OK");
export const QUEUED_ERROR = "EXECABORT Transaction discarded because of previous errors.";

export function refuse(message: string): never {
  throw new ErrorReply(message);
}

export const syntaxError = (): never => refuse("ERR syntax error");
export const WRONG_TYPE = "WRONGTYPE Operation against a key holding the wrong kind of value";
export const NOT_AN_INTEGER = "ERR value is not an integer or out of range";
export const NOT_A_FLOAT = "ERR value is not a valid float";
