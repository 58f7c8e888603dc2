import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../../test/documents/markdown.ts";
import { typeCheck } from "../../test/support/typescript.ts";
import { FILES } from "./application.ts";

/** The settings of a project of Nest: from before version 11, and since. */
const PROJECTS = {
  "of CommonJS": { module: "commonjs", moduleResolution: "bundler" },
  "of ES modules": { module: "esnext", moduleResolution: "bundler" },
} as const;
const NEST = {
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  // As in a new project: each file is compiled by itself, so an injected type must be a class.
  isolatedModules: true,
  erasableSyntaxOnly: false,
  verbatimModuleSyntax: false,
  esModuleInterop: true,
};

/** What the decorators refuse, and what they take. */
const DECORATED = `
import { Locks, RunCron, RunOnce, WithLock } from "leasehold-nest";
export class Service {
  constructor(readonly locks: Locks) {}
  @WithLock((id: string) => id)
  async fits(id: string, _cents: number): Promise<string> { return id; }
  @WithLock("a:{id}") @RunOnce("b:{id}") @RunCron("c")
  private async all(id: string): Promise<void> { void [id, this.all]; }
  // @ts-expect-error a name of another type of argument
  @WithLock((id: number) => String(id))
  async other(id: string): Promise<string> { return id; }
  // @ts-expect-error a method that returns no promise
  @WithLock("a")
  plain(): string { return ""; }
  // @ts-expect-error no option of this name
  @RunOnce("a", { maxAttempts: 1 })
  async option(): Promise<void> {}
  // @ts-expect-error no duration
  @WithLock("a", { lease: "soon" })
  async duration(): Promise<void> {}
  // @ts-expect-error no property
  @WithLock("a")
  property = 1;
}
`;

let folder: string;
const files: string[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(ROOT, "nest/test/.examples-"));
  const globals = `declare const test: typeof import("vitest").test; declare const expect: typeof import("vitest").expect;`;
  for (const [name, text] of [...FILES, ["decorated.ts", DECORATED] as const]) {
    if (!name.endsWith(".ts")) continue;
    files.push(join(folder, name));
    writeFileSync(join(folder, name), name.includes("spec") ? `${globals}\n${text}` : text);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(Object.entries(PROJECTS))(
  "the files of docs/nest.md compile in a project %s",
  async (_, project) => {
    const { problems } = await typeCheck(files, "tsconfig.json", { ...NEST, ...project });
    expect([...problems].filter(([, said]) => said.length > 0)).toEqual([]);
  },
  120_000,
);
