import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { blocksOf, ROOT, textOf } from "../../test/documents/markdown.ts";
import { pause } from "../../test/support/names.ts";

/** The files of the application in docs/nest.md, by name. */
export const FILES: ReadonlyMap<string, string> = new Map(
  blocksOf(textOf("docs/nest.md")).flatMap(({ text }): [string, string][] => {
    const [, name] = /^\/\/ ([\w.-]+)\n/.exec(text) ?? [];
    return name === undefined ? [] : [[name, text]];
  }),
);

/** A payment provider for the tests, in place of the page's. An invoice says in its id what happens while it is charged. */
export const OWN_FILES: ReadonlyMap<string, string> = new Map([
  [
    "payments.ts",
    `import { Injectable } from "@nestjs/common";
    @Injectable()
    export class Payments {
      async charge(id: string, cents: number, _signal: AbortSignal): Promise<void> {
        console.log("charges", id, cents);
        if (id.startsWith("die")) process.kill(process.pid, "SIGKILL");
        if (id.startsWith("freeze") && process.env.FREEZES) process.kill(process.pid, "SIGSTOP");
        if (id.startsWith("slow")) await new Promise((resolve) => setTimeout(resolve, 2000));
        console.log("charged", id, cents);
      }
      async sendReceipt(invoice: string): Promise<{ mail: string }> {
        console.log("sends", invoice);
        if (invoice.startsWith("die") && process.env.DIES) process.kill(process.pid, "SIGKILL");
        if (invoice.startsWith("freeze") && process.env.FREEZES) process.kill(process.pid, "SIGSTOP");
        if (invoice.startsWith("slow")) await new Promise((resolve) => setTimeout(resolve, 300));
        return { mail: "mail of " + process.pid };
      }
    }`,
  ],
]);

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.CommonJS,
  target: ts.ScriptTarget.ES2022,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  esModuleInterop: true,
};

/** Compiles files as a Nest project does, each by itself, into a folder where packages resolve as for our users. */
export function compile(files: ReadonlyMap<string, string>, change = (text: string): string => text) {
  const folder = mkdtempSync(join(ROOT, "nest/test/.examples-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "commonjs" }));
  for (const [name, text] of files) {
    writeFileSync(
      join(folder, name.replace(/\.ts$/, ".js")),
      ts.transpileModule(change(text), { compilerOptions: OPTIONS, fileName: name }).outputText,
    );
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** An instance of an application, in a process of its own. */
export interface Instance extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly url: string;
  /** What it has printed. */
  readonly lines: readonly string[];
  /** Resolves with the first line that contains a text. */
  says(text: string): Promise<string>;
  post(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Resolves when the process has stopped itself. */
  stopped(): Promise<void>;
  ended(): Promise<readonly [code: number | null, signal: string | null]>;
}

/** Starts an instance, which listens on a free port. */
export async function startInstance(
  folder: string,
  env: Readonly<Record<string, string>>,
  main = "main.js",
): Promise<Instance> {
  const sources = pathToFileURL(join(ROOT, "tools/sources.ts")).href;
  const child = spawn(process.execPath, ["--no-warnings", "--import", sources, join(folder, main)], {
    env: { PATH: process.env["PATH"], PORT: "0", NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const gone = once(child, "exit") as Promise<[number | null, string | null]>;
  const lines: string[] = [];
  for (const output of [child.stdout, child.stderr]) createInterface(output).on("line", (line) => lines.push(line));
  const says = async (text: string): Promise<string> => {
    for (;;) {
      const line = lines.find((each) => each.includes(text));
      if (line !== undefined) return line;
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended: ${lines.join("\n")}`);
      await pause(20);
    }
  };
  const [, port] = /listening on .*:(\d+)/.exec(await says("listening on")) ?? [];
  const url = `http://127.0.0.1:${port}`;
  return {
    child,
    url,
    lines,
    says,
    post: (path, body, headers) =>
      fetch(url + path, {
        method: "POST",
        headers: { "Content-Type": "application/json", Connection: "close", ...headers },
        body: JSON.stringify(body),
      }),
    async stopped() {
      while (!/\) T /.test(readFileSync(`/proc/${child.pid}/stat`, "utf8"))) await pause(5);
    },
    ended: () => gone,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await gone;
    },
  };
}
