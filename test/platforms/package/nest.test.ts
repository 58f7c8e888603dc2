/** The package in projects of Nest: in CommonJS, in ES modules, and in their tests by ts-jest. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FILES, OWN_FILES } from "../../../nest/test/application.ts";
import { program, ROOT, run } from "../../support/command.ts";
import { packed } from "./packed.ts";
import { emptyProject, type Project } from "./project.ts";

let project: Project;
beforeAll(async () => {
  project = emptyProject();
  project.write("package.json", { name: "project", private: true });
  await project.npm(
    // Nest follows below.
    "--legacy-peer-deps",
    ...(await Promise.all(
      (["leasehold", "leasehold-engine", "leasehold-nest", "leasehold-testing"] as const).map((name) => packed(name)),
    )),
  );
  // As they are installed here: links, so that there is one copy of each.
  mkdirSync(join(project.dir, "node_modules/@types"), { recursive: true });
  for (const name of [
    "@nestjs",
    "@types/express",
    "express",
    "ioredis",
    "reflect-metadata",
    "rxjs",
    "typescript",
    "ts-jest",
  ])
    symlinkSync(join(ROOT, "node_modules", name), join(project.dir, "node_modules", name));
  for (const [name, text] of [...FILES, ...OWN_FILES]) if (!/^jobs|^main/.test(name)) project.write(name, text);
});
afterAll(() => project?.remove());

/** Starts a module of Nest over the Redis in memory, and calls a decorated method. */
const PROGRAM = `
import "reflect-metadata";
import { Injectable, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { createTestRedis } from "leasehold-testing";
import { currentLease, LeaseholdModule, Locks, WithLock } from "leasehold-nest";
@Injectable()
class Service {
  constructor(readonly locks: Locks) {}
  @WithLock("a {id}")
  async method(id: string) { return (await this.locks.lock(currentLease().name).inspect()).state + id; }
}
@Module({ imports: [LeaseholdModule.forRoot(createTestRedis().options)], providers: [Service] })
class AppModule {}
(async () => {
  const app = await NestFactory.createApplicationContext(AppModule, { logger: ["error"] });
  console.log(await app.get(Service).method("7"));
  await app.close();
})();
`;

describe.concurrent("a project of Nest", () => {
  test.each([
    ["node-20", "CommonJS"],
    ["node", "CommonJS"],
    ["node", "ESNext"],
  ] as const)("runs it: %s, %s", async (node, module) => {
    const { outputText } = ts.transpileModule(PROGRAM, {
      compilerOptions: {
        module: ts.ModuleKind[module],
        target: ts.ScriptTarget.ES2022,
        experimentalDecorators: true,
        emitDecoratorMetadata: true,
      },
    });
    const file = project.write(`${node}-${module}.${module === "CommonJS" ? "cjs" : "mjs"}`, outputText);
    expect(await run(program(`${node}/bin/node`), [file], project.dir)).toBe("held7\n");
  });

  test("compiles, by the compiler and the settings of a new project", async () => {
    project.write("tsconfig.json", {
      compilerOptions: {
        ...{ module: "nodenext", moduleResolution: "nodenext", target: "ES2023", types: [] },
        ...{ experimentalDecorators: true, emitDecoratorMetadata: true, isolatedModules: true },
        ...{ strict: true, skipLibCheck: true, noEmit: true, esModuleInterop: true },
      },
      files: ["app.ts", "redis.module.ts", "invoices.controller.ts", "leasehold.filter.ts"],
    });
    project.write("app.ts", PROGRAM);
    expect(await run(process.execPath, [program("typescript/bin/tsc"), "-p", "."], project.dir).catch(String)).toBe("");
  });

  test.each(["node-22", "node"])("tests it by ts-jest, with the settings of docs/nest.md: %s", async (node) => {
    const args = ["--no-warnings", program("jest/bin/jest.js"), "--rootDir", project.dir, "--cacheDirectory"];
    // It throws when a test fails.
    await run(program(`${node}/bin/node`), [...args, join(project.dir, `.jest-${node}`)], project.dir);
  });
});
