/** The gateway with a planted leak: it keeps memory for each response, and leaves files open. A soak must find it. */
import { openSync } from "node:fs";
import { Socket } from "node:net";
import { devNull } from "node:os";

const KEPT_BYTES = 320 * 1024;
/** One response in so many leaves a file open, so that the process does not reach its limit of open files. */
const RESPONSES_PER_FILE = 20;

const kept: Buffer[] = [];

Socket.prototype.write = new Proxy(Socket.prototype.write, {
  apply(write, socket, args) {
    kept.push(Buffer.alloc(KEPT_BYTES, 1));
    if (kept.length % RESPONSES_PER_FILE === 0) openSync(devNull, "r");
    return Reflect.apply(write, socket, args);
  },
});

await import("../../gateway/src/cli/main.ts");
