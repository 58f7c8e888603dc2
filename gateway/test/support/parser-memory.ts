/** Prints how many bytes a connection's parser keeps of the heads that it remembers, while another one reads many. */
import { createRequestParser } from "../../src/http/request-parser.ts";

const CONNECTIONS = 200;
const request = (body: string, headers: string): Buffer =>
  Buffer.from(`POST / HTTP/1.1\r\nHost: h\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`);
const long = `Cookie: ${"c".repeat(1_900)}\r\n`;

function used(): number {
  for (let times = 0; times < 3; times++) globalThis.gc?.();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

const busy = createRequestParser(16_384);
busy.read(request("[0]", long), []);
const before = used();
const parsers = Array.from({ length: CONNECTIONS }, (_, at) => {
  const parser = createRequestParser(16_384);
  for (const key of ["a", "bb", "ccc", "dddd"]) {
    parser.read(request(`["SET","${key}","${"v".repeat(3_000)}"]`, `X-Request-Id: request-${at}\r\n`), []);
    for (let times = 0; times < 8; times++) busy.read(request(`[${at}]`, `${long}X-N: ${key}${times}\r\n`), []);
  }
  return parser;
});
console.log((used() - before) / CONNECTIONS);
for (const parser of [...parsers, busy]) parser.free();
