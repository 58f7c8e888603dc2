/**
 * The child process of `bare-subject.ts`: an HTTP server that holds one name for its callers. `/acquire/NAME` is
 * answered once the name is the caller's, in order of arrival; `/release/NAME` passes it on. It keeps no lease, no
 * token and no record, and uses no Redis.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The held names, with their waiters. */
const waiters = new Map<string, ServerResponse[]>();

function acquire(name: string, response: ServerResponse): void {
  const waiting = waiters.get(name);
  if (waiting) {
    waiting.push(response);
    return;
  }
  waiters.set(name, []);
  response.end("{}");
}

function release(name: string, response: ServerResponse): void {
  response.end("{}");
  const next = waiters.get(name)?.shift();
  if (next) next.end("{}");
  else waiters.delete(name);
}

const server = createServer((request, response) => {
  const [, action = "", name = ""] = (request.url ?? "").split("/");
  request.resume();
  request.once("end", () => (action === "acquire" ? acquire(name, response) : release(name, response)));
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.once("disconnect", () => process.exit());
