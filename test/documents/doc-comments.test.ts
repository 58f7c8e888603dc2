import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Stack, startStack } from "../support/stack.ts";
import { typeCheck } from "../support/typescript.ts";
import { closeClients } from "./clients.ts";
import { documented, entryOf, exportsOf, root } from "./doc-comments.ts";
import { GIVEN, given } from "./given.ts";

/** The entries whose public functions must have an example. */
const ENTRIES = [
  ...["index", "cron/index", "elect/index", "fence/index", "hono/index", "http/index", "lambda/index", "list/index"],
  ...["node/index", "otel/index", "queue/index"],
]
  .map((entry) => `src/${entry}.ts`)
  .concat(["index", "mcp/index", "chat/index"].map((entry) => `agents/src/${entry}.ts`));
const REQUIRED =
  /^agents\/src\/|^src\/((kinds|cron|dedupe|elect|fence|hono|http|lambda|list|node|otel|queue|engine|redis)\/|create-locks)/;

const all = documented();
const examples = all.flatMap(({ file, name, examples }) =>
  examples.map((example, index) => ({ file, title: index ? `${name} (${index + 1})` : name, ...example })),
);

let stacks: [Stack, Stack, Stack];
let folder: string;
beforeAll(async () => {
  stacks = await Promise.all([startStack(), startStack(), startStack()]);
  // Within the project, so that packages resolve as they would for its users.
  folder = mkdtempSync(join(import.meta.dirname, ".examples-"));
});
afterAll(async () => {
  vi.unstubAllGlobals();
  closeClients();
  rmSync(folder, { recursive: true, force: true });
  await Promise.all(stacks?.map((stack) => stack.stop()) ?? []);
});

/** Writes an example as a module. Names that it does not import are imported from the entry of its file, or given. */
function write(file: string, title: string, text: string): string {
  const own = (name: string): boolean =>
    new RegExp(`(const|let|function|class) ${name}\\b|import [^;]*\\b${name}\\b[^;]* from`).test(text);
  const names = [...exportsOf(entryOf(file)).keys()].filter((name) => !own(name));
  const before = [
    `import { ${names.join(", ")} } from "${relative(folder, join(root, entryOf(file)))}";`,
    ...GIVEN.filter((name) => !own(name)).map(
      (name) => `declare const ${name}: import("../given.ts").Given["${name}"];`,
    ),
  ].join(" ");
  const path = join(folder, `${file}-${title}`.replace(/\W+/g, "-").concat(".ts"));
  writeFileSync(path, `${before}\n${text}\nexport {};\n`);
  return path;
}

describe("the examples in doc comments", () => {
  it("are there for every public function", () => {
    const isPublic = new Set(
      ENTRIES.flatMap((entry) => [...exportsOf(entry)].map(([name, file]) => `${file} ${name}`)),
    );
    const missing = all
      .filter(({ file, examples }) => REQUIRED.test(file) && examples.length === 0)
      .map(({ file, name }) => `${file} ${name}`)
      .filter((each) => isPublic.has(each));
    expect(missing).toEqual([]);
  });

  it("compile under the settings of this project", { timeout: 120_000 }, async () => {
    const files = examples.map(({ file, title, text }) => write(file, title, text));
    const { problems } = await typeCheck([...files, join(import.meta.dirname, "bun.d.ts")], "tsconfig.json");
    expect([...problems].filter(([, said]) => said.length > 0)).toEqual([]);
  });

  it.each(examples.filter(({ runs }) => runs))("run: $title in $file", async ({ file, title, text }) => {
    await Promise.all(stacks.map(({ redis }) => redis.command("FLUSHALL")));
    const [{ url, token, redis }, second, third] = stacks;
    const names = await given([url, second.url, third.url], token, redis.url);
    for (const [name, value] of Object.entries(names)) vi.stubGlobal(name, value);
    const closing = text.replace(/from "(ioredis|redis)"/g, 'from "../clients.ts"');
    await import(/* @vite-ignore */ write(file, `run ${title}`, closing));
  });
});
