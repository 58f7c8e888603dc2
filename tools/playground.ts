/**
 * The playground: the SDK, its scripts and a Redis in memory in one page.
 *
 *   node tools/playground.ts [--port N]     builds it and serves it on 127.0.0.1
 *   node tools/playground.ts --out FOLDER   writes its files, for a server of static files or to be opened
 */
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundlePage } from "./page.ts";

const FOLDER = join(import.meta.dirname, "../docs/playground");

/** A file of the page, by its name. */
type Files = Readonly<Record<string, string>>;

const escapeText = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** The body of a module's last function, which the page shows. */
const bodyIn = (source: string): string =>
  source
    .slice(source.indexOf("\n", source.lastIndexOf("export async function")) + 1, source.lastIndexOf("\n}"))
    .replace(/^ {2}/gm, "");

/** Builds the page's files. */
export async function buildPlayground(): Promise<Files> {
  const { script, style } = await bundlePage(FOLDER);
  const read = (name: string): string => readFileSync(join(FOLDER, name), "utf8");
  return {
    "index.html": read("index.html").replace("<!-- code -->", () => escapeText(bodyIn(read("worker.ts")))),
    "style.css": style,
    "playground.js": script,
  };
}

const TYPES: Readonly<Record<string, string>> = { html: "text/html", css: "text/css", js: "text/javascript" };

/** Serves the files only on this machine. */
export async function servePlayground(
  files: Files,
  port: number,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(({ url = "/" }, response) => {
    const name = url.replace(/[?#].*/, "").slice(1) || "index.html";
    const text = files[name];
    const type = TYPES[name.split(".").at(-1) ?? ""] ?? "text/plain";
    response.writeHead(text === undefined ? 404 : 200, { "content-type": `${type}; charset=utf-8` }).end(text);
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: "string" }, port: { type: "string", default: "0" } } });
  const files = await buildPlayground();
  if (values.out === undefined) {
    const { url } = await servePlayground(files, Number(values.port));
    console.log(`The playground is at ${url} (Ctrl-C ends it).`);
  } else {
    mkdirSync(values.out, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(values.out, name), text);
    console.log(`Open ${join(values.out, "index.html")}, or put the folder on any server of static files.`);
  }
}
