/** Starts workerd in the process group of this program and sends it one request per order. */
import { readFileSync } from "node:fs";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { createReader } from "./lines.ts";

const [url = "", token = "", script = ""] = process.argv.slice(2);
const miniflare = new Miniflare({
  ...convertV4MiniflareOptions({
    modules: true,
    script: readFileSync(script, "utf8"),
    compatibilityDate: "2026-10-01",
    bindings: { url, token },
  }),
  cf: false,
});
const worker = await miniflare.ready;
const read = createReader(async (order) => {
  const response = await fetch(worker, { method: "POST", body: JSON.stringify(order) }).catch(() => undefined);
  const text = response?.ok ? await response.text().catch(() => "") : "";
  process.stdout.write(`${text || JSON.stringify({ id: order.id, status: "unknown", error: "workerd failed" })}\n`);
});
process.stdin.setEncoding("utf8").on("data", read);
process.stdin.on("end", () => miniflare.dispose().finally(() => process.exit()));
