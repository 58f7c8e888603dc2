import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { program, ROOT, run } from "../support/command.ts";
import { freshName, startStack } from "../support/stack.ts";

const PROGRAM = `
  import { Hono } from "hono";
  import { dedupe } from "./src/hono/index.ts";
  import { connect } from "./src/index.ts";
  const [url, token, id] = Bun.argv.slice(2);
  const locks = connect({ url, token });
  const app = new Hono();
  const key = ({ headers, url }) => headers.get("X-Id") + new URL(url).pathname;
  app.use("/*", dedupe({ locks, key, replay: true }));
  app.post("/text", (c) => c.text("hi"));
  app.post("/chunks", () => new Response(new ReadableStream({
    start(controller) {
      controller.enqueue("hello 123");
      controller.close();
    },
  })));
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: app.fetch });
  const answers = [];
  for (const path of ["text", "text", "chunks", "chunks"]) {
    const answer = await fetch(server.url.href + path, { method: "POST", headers: { "X-Id": id } });
    const { headers } = answer;
    const type = headers.get("Content-Type")?.toLowerCase().replace(/;.*/, "");
    answers.push([headers.get("Leasehold-Status"), type ?? null, await answer.text()].join(" "));
  }
  console.log(JSON.stringify(answers));
  await server.stop(true);
  process.exit();`;

// Bun names the type of a text only as it sends it, and streams may be of text.
it("a server in Bun keeps an answer as it is, and gives it again", async () => {
  const stack = await startStack();
  const dir = mkdtempSync(join(tmpdir(), "leasehold-bun-"));
  try {
    const outfile = join(dir, "server.mjs");
    const stdin = { contents: PROGRAM, resolveDir: ROOT };
    await build({ stdin, outfile, absWorkingDir: ROOT, bundle: true, format: "esm", platform: "browser" });
    const printed = await run(program(".bin/bun"), ["run", outfile, stack.url, stack.token, freshName()], dir);
    expect(JSON.parse(printed)).toEqual([
      "processed text/plain hi",
      "duplicate text/plain hi",
      "processed  hello 123",
      "duplicate  ",
    ]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
    await stack.stop();
  }
});
