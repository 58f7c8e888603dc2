/** A client in a process of its own that waits for a lock: `node waiter.ts URL TOKEN KIND NAME LEASE`. */
import { createLocks } from "../../../src/index.ts";

const [url = "", token = "", kind, name = "", lease = ""] = process.argv.slice(2);
const locks = createLocks({ url, token });
await locks[kind === "fairLock" ? "fairLock" : "lock"](name).acquire({ wait: "60s", lease: Number(lease) });
// It never releases what it got.
setInterval(() => {}, 60_000);
