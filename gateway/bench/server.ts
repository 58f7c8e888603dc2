/**
 * The gateway in a separate process, as the command line starts it.
 *
 *   node server.ts REDIS_URL TOKEN     says its URL over IPC, collects garbage when asked, and ends with its parent
 */
import { serveGateway } from "../src/index.ts";

const [redis = "", token = ""] = process.argv.slice(2);
const server = await serveGateway({ redis, token, port: 0, processMetrics: true });

process.on("message", () => {
  // The second collection frees memory that finalizers of the first one released.
  globalThis.gc?.();
  globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
process.once("disconnect", () => process.exit());
// Ctrl-C reaches the whole group; the parent decides when this process ends.
process.on("SIGINT", () => {});
process.send?.({ url: server.url });
