import { ARRAY, BULK } from "../../src/redis/resp.ts";

const CRLF = Buffer.from("\r\n");

/** The end of the RESP2 reply that begins at `from`; -1 while a part is missing. Works for any depth of nesting. */
function replyEnd(bytes: Buffer, from: number): number {
  let at = from;
  for (let missing = 1; missing > 0; missing--) {
    const line = bytes.indexOf(CRLF, at);
    if (line === -1) return -1;
    const type = bytes[at];
    const begun = at + 1;
    at = line + CRLF.length;
    if (type !== BULK && type !== ARRAY) continue;
    // -1 is null, which has nothing after it.
    const count = Number(bytes.toString("latin1", begun, line));
    if (type === BULK && count >= 0) at += count + CRLF.length;
    if (type === ARRAY && count > 0) missing += count;
  }
  return at <= bytes.length ? at : -1;
}

/** Splits bytes of RESP2 into complete replies and the rest, which is the beginning of the next one. */
export function cut(bytes: Buffer): { readonly replies: readonly Buffer[]; readonly rest: Buffer } {
  const replies: Buffer[] = [];
  let from = 0;
  for (let end = replyEnd(bytes, from); end !== -1; end = replyEnd(bytes, from)) {
    replies.push(bytes.subarray(from, end));
    from = end;
  }
  return { replies, rest: bytes.subarray(from) };
}

/** The line after the type byte, or the content of a bulk string. */
function content(reply: Buffer): Buffer {
  const line = reply.indexOf(CRLF);
  return reply[0] === BULK && line + CRLF.length < reply.length
    ? reply.subarray(line + CRLF.length, -CRLF.length)
    : reply.subarray(1, line);
}

/** The items of a reply that is a flat array, or `undefined` for another reply. */
export function itemsOf(reply: Buffer): readonly Buffer[] | undefined {
  if (reply[0] !== ARRAY) return undefined;
  return cut(reply.subarray(reply.indexOf(CRLF) + CRLF.length)).replies.map(content);
}
