/** A server of tools in a process of its own, which dies or freezes right after its write. */
import { startToolServer } from "./server.ts";

const [url = "", token = "", name = "", file = "", fate = ""] = process.argv.slice(2);

process.on("message", async () => {
  const server = await startToolServer({
    ...{ url, token, name, file, lease: 700 },
    afterWrite: () => void process.kill(process.pid, fate),
  });
  process.send?.({ result: server.url });
});
process.on("disconnect", () => process.exit());
process.send?.({ result: "ready" });
