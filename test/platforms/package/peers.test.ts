/** Projects with another major version of an optional peer: only those that use it need the right one. */
import { afterAll, expect, test } from "vitest";
import { program, run } from "../../support/command.ts";
import { packed } from "./packed.ts";
import { emptyProject, type Project } from "./project.ts";

const projects: Project[] = [];
afterAll(() => {
  for (const project of projects) project.remove();
});

test("npm installs it next to Hono 3, and locks and dedupe run there (E24)", { timeout: 240_000 }, async () => {
  const project = emptyProject();
  projects.push(project);
  await project.npm("hono@3.12.12");
  await project.npm(await packed());
  await project.npm(await packed("leasehold-engine"), await packed("leasehold-testing"));
  const script = project.write(
    "hono.mjs",
    `import { Hono } from "hono";
     import { createLocks } from "leasehold";
     import { dedupe, idempotencyKey } from "leasehold/hono";
     import { createMemoryRedis } from "leasehold-testing";
     const { url, token, fetch } = createMemoryRedis();
     const locks = createLocks({ url, token, fetch });
     const app = new Hono();
     let runs = 0;
     app.post("/pay", dedupe({ locks, key: idempotencyKey(), scope: () => "a" }), (c) => c.text(String(++runs)));
     const pay = () => app.request("/pay", { method: "POST", headers: { "Idempotency-Key": "1" }, body: "{}" });
     console.log((await pay()).status, (await pay()).status, runs);`,
  );
  expect((await run(program("node/bin/node"), [script], project.dir)).trim()).toBe("200 200 1");
});
