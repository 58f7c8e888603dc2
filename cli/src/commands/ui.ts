import { once } from "node:events";
import { type Command, EXIT, textOf, UsageError } from "../command.ts";
import { examine } from "../operations/doctor/examine.ts";
import { portOf } from "../port.ts";
import { readPageFiles } from "../ui/page-files.ts";
import { startUi } from "../ui/server.ts";

export const ui: Command = {
  name: "ui",
  summary: "serve a local page that shows what is held",
  more: `It prints the address, which contains a random token: anyone with the address sees the names. While at least one page
is open, it polls the server once a second; otherwise it sends nothing. Ctrl-C stops it.`,
  options: {
    port: { type: "string", value: "N", help: "the port on 127.0.0.1; default: a free one" },
    "allow-release": { type: "boolean", help: "allow releases on the page" },
  },
  async run({ out, signal, target, scrub }, args) {
    if (args.operands.length > 0) throw new UsageError("ui takes no NAME: the page has a search");
    const port = portOf(textOf(args, "port"));
    const found = await target();
    const { url, close } = await startUi(found.connection, {
      files: readPageFiles(),
      port,
      allowRelease: args.values["allow-release"] === true,
      diagnose: (how) => examine(found, { ...how, scrub }),
    }).catch((error: NodeJS.ErrnoException) => {
      throw error.syscall === "listen" ? new UsageError(`--port ${port} cannot be used: ${error.code}`) : error;
    });
    out.line(args.values["json"] ? JSON.stringify({ url }) : `The page is at ${url} (Ctrl-C stops it).`);
    if (!signal.aborted) await once(signal, "abort");
    await close();
    return EXIT.interrupted;
  },
};
