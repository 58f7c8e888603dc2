import { ErrorReply, type Reply, Status } from "leasehold-engine";

const CRLF = "\r\n";
const CRLF_BYTES = 2;

/**
 * Makes a reader of commands from bytes, which may be split anywhere. It returns the words of each complete command,
 * one character for each byte.
 */
export function createRequestReader(): (chunk: Buffer) => readonly (readonly string[])[] {
  let pending: Buffer = Buffer.alloc(0);

  /** The command that begins at `from`, and where it ends; undefined while some of it is missing. */
  function command(bytes: Buffer, from: number): readonly [words: string[], end: number] | undefined {
    let at = from;
    const number = (): number => {
      const end = bytes.indexOf(CRLF, at);
      if (end === -1) return -1;
      const value = Number(bytes.toString("latin1", at + 1, end));
      at = end + CRLF_BYTES;
      return value;
    };
    const count = number();
    const words: string[] = [];
    while (words.length < count) {
      const length = number();
      if (length === -1 || at + length + CRLF_BYTES > bytes.length) return undefined;
      words.push(bytes.toString("latin1", at, at + length));
      at += length + CRLF_BYTES;
    }
    return count === -1 ? undefined : [words, at];
  }

  return (chunk) => {
    const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const commands: string[][] = [];
    let from = 0;
    for (let next = command(bytes, 0); next !== undefined; next = command(bytes, from)) {
      const [words, end] = next;
      commands.push(words);
      from = end;
    }
    pending = bytes.subarray(from);
    return commands;
  };
}

function text(reply: Reply): string {
  if (reply === null) return "$-1\r\n";
  if (typeof reply === "string") return `$${reply.length}\r\n${reply}\r\n`;
  if (typeof reply === "number" || typeof reply === "bigint") return `:${reply}\r\n`;
  if (reply instanceof Status) return `+${reply.text}\r\n`;
  if (reply instanceof ErrorReply) return `-${reply.message}\r\n`;
  return `*${reply.length}\r\n${reply.map(text).join("")}`;
}

/** A reply in RESP2. @param isList whether null means a missing list */
export const encodeReply = (reply: Reply, isList = false): Buffer =>
  Buffer.from(reply === null && isList ? "*-1\r\n" : text(reply), "latin1");
