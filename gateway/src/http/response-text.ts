import { STATUS_CODES } from "node:http";
import { memoized } from "../shared/memo.ts";
import type { HttpResponse } from "./message.ts";

/** How a response is sent, besides its own headers. */
interface Framing {
  /** The bytes of the body; `undefined` for one whose length is not known, and where there is none. */
  readonly length: number | undefined;
  readonly isChunked: boolean;
  /** Whether the connection ends with it. */
  readonly isLast: boolean;
}

const statusLine = memoized((status: number) => `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Unknown"}\r\n`);

let dateSecond = 0;
let dateLine = "";

/** The `Date` header, which is made once a second. */
function dateNow(): string {
  const second = Math.floor(Date.now() / 1_000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateLine = `date: ${new Date(second * 1_000).toUTCString()}\r\n`;
  }
  return dateLine;
}

/** Writes the head of a response. */
export type HeadText = (response: HttpResponse, framing: Framing) => string;

/** @param keepAliveMs how long clients may keep a connection that is not used */
export function createHeadText(keepAliveMs: number): HeadText {
  const kept = `connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1_000)}\r\n`;
  return ({ status, headers, id }, { length, isChunked, isLast }) => {
    let text = statusLine(status);
    if (id !== undefined) text += `x-request-id: ${id}\r\n`;
    // The values are the gateway's own, or were checked where they came from: none has a line break.
    for (const name in headers) text += `${name}: ${headers[name]}\r\n`;
    if (length !== undefined) text += `content-length: ${length}\r\n`;
    if (isChunked) text += "transfer-encoding: chunked\r\n";
    return `${text}${dateNow()}${isLast ? "connection: close\r\n" : kept}\r\n`;
  };
}
