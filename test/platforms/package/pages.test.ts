/** The programs of the pages about agents, as they stand: in an empty folder, after the `npm install` of the page. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, relative } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWorker } from "../../../durable-object/test/support/workerd.ts";
import { program, ROOT, run } from "../../support/command.ts";
import { listen } from "../../support/proxy.ts";
import { type Stack, startStack } from "../../support/stack.ts";
import { followPage, programsOf, serveOwnPackages } from "./fresh.ts";
import type { Project } from "./project.ts";
import type { Registry } from "./registry.ts";

const PAGES = ["docs/mcp.md", "docs/agents.md", "docs/chat.md"] as const;

let stack: Stack;
let registry: Registry;
const projects = new Map<string, Project>();
beforeAll(async () => {
  [stack, registry] = await Promise.all([startStack(), serveOwnPackages()]);
  for (const page of PAGES) projects.set(page, await followPage(page, registry));
});
afterAll(async () => {
  for (const project of projects.values()) project.remove();
  await Promise.all([registry?.close(), stack?.stop()]);
});

const projectOf = (page: (typeof PAGES)[number]): Project => projects.get(page) as Project;
const start = (page: (typeof PAGES)[number], file: string): Promise<string> =>
  run(process.execPath, ["--disable-warning=ExperimentalWarning", file], projectOf(page).dir, {
    UPSTASH_REDIS_REST_URL: stack.url,
    UPSTASH_REDIS_REST_TOKEN: stack.token,
    NODE_NO_WARNINGS: "1",
    NO_COLOR: "1",
  });

describe.each(PAGES)("%s", (page) => {
  it("compiles, with the types of the packed packages and of their hosts", async () => {
    const project = projectOf(page);
    project.write("tsconfig.json", {
      compilerOptions: {
        ...{ module: "nodenext", target: "es2023", lib: ["es2023", "dom", "esnext.disposable"], strict: true },
        ...{ allowImportingTsExtensions: true, noEmit: true, skipLibCheck: true, types: ["node"] },
        typeRoots: [program("@types")],
      },
      files: [...programsOf(page).keys()],
    });
    const tsc = program("typescript-newest/bin/tsc");
    expect(await run(process.execPath, [tsc, "-p", "."], project.dir).catch(String)).toBe("");
  });
});

it("docs/mcp.md: the client calls the tool twice, and the card is charged once", async () => {
  const texts = [...(await start("docs/mcp.md", "client.ts")).matchAll(/text: '(.*)'/g)].map(([, text]) => text);
  expect(texts).toEqual([expect.stringMatching(/^charged 500 cents for order \d+$/), texts[0]]);
});

it("docs/agents.md: a turn calls its tool under a token", async () => {
  expect(await start("docs/agents.md", "program-0.ts")).toMatch(/^booked 8pm under \d{16}\n$/);
});

it("docs/agents.md: messages that arrive during a turn are in the next one", async () => {
  const lines = (await start("docs/agents.md", "program-1.ts")).trim();
  expect(lines).toMatch(/^message 2 kept \[\]$/m);
  expect(lines).toMatch(/^message 3 kept \[\]$/m);
  expect(lines.slice(lines.indexOf("message 1"))).toMatch(
    /^message 1 done \[\s*'answered "a table for two"',\s*'answered "at eight, by the window"'\s*\]$/,
  );
});

it("docs/agents.md: the Worker with Durable Objects answers under a token", async () => {
  const { dir } = projectOf("docs/agents.md");
  const worker = [...programsOf("docs/agents.md")].find(([, text]) => text.includes("LeaseholdObject"))?.[0] ?? "";
  const outfile = join(dir, "worker.bundle.js");
  await build({
    absWorkingDir: dir,
    entryPoints: [worker],
    outfile,
    bundle: true,
    format: "esm",
    target: "es2024",
    external: ["cloudflare:*"],
  });
  const tokens: (string | string[] | undefined)[] = [];
  const model = createServer((request, response) => {
    tokens.push(request.headers["fencing-token"]);
    response.end("an answer");
  });
  const port = await listen(model, 0);
  const running = await startWorker(relative(ROOT, outfile), { MODEL_URL: `http://127.0.0.1:${port}` });
  try {
    const body = JSON.stringify({ conversation: "1", message: "hello" });
    const response = await fetch(running.url, { method: "POST", body });
    expect([response.status, await response.text()]).toEqual([200, "an answer"]);
    expect(tokens).toEqual([expect.stringMatching(/^\d{16}$/)]);
  } finally {
    await running.stop();
    model.close();
  }
});

it("docs/chat.md: both bots answer a message once, although it is delivered twice", async () => {
  const project = projectOf("docs/chat.md");
  project.write("platform.ts", readFileSync(join(ROOT, "agents/test/chat/platform.ts"), "utf8"));
  project.write(
    "drive.ts",
    `import { createBot } from "./program-0.ts";
     import { createFencedBot } from "./program-1.ts";
     import { createPlatform, deliver } from "./platform.ts";

     const answered = createPlatform();
     const bot = createBot(answered.adapter);
     const fenced = createPlatform();
     const stored: string[] = [];
     const model = {
       answer: async (text: string) => "answer to " + text,
       store: async (answer: string, token: number) => void stored.push(answer + " " + Number.isSafeInteger(token)),
     };
     const other = createFencedBot(fenced.adapter, model);
     for (const [each, thread] of [[bot, "slack:C1:1"], [other, "slack:C2:1"]] as const)
       for (const _ of [1, 2]) await deliver(each, { thread, id: "m of " + thread, text: "hello" });
     while (answered.posted.length < 1 || fenced.posted.length < 1) await new Promise((resolve) => setTimeout(resolve, 20));
     await new Promise((resolve) => setTimeout(resolve, 200));
     console.log("RESULT", JSON.stringify([answered.posted.length, answered.posted[0], fenced.posted, stored]));
     process.exit();`,
  );
  const [, result = ""] = /^RESULT (.*)$/m.exec(await start("docs/chat.md", "drive.ts")) ?? [];
  expect(JSON.parse(result)).toEqual([
    1,
    expect.stringContaining("You said: hello"),
    ["answer to hello"],
    ["answer to hello true"],
  ]);
});
