import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { program, run } from "../../support/command.ts";
import { freshName, type Stack, startStack } from "../../support/stack.ts";
import { packed } from "./packed.ts";
import { emptyProject, type Project } from "./project.ts";
import { type Registry, serveRegistry } from "./registry.ts";

let stack: Stack;
let registry: Registry;
let project: Project;
beforeAll(async () => {
  project = emptyProject();
  const [tarball, started] = await Promise.all([packed(), startStack()]);
  stack = started;
  registry = await serveRegistry(tarball);
});
afterAll(async () => {
  await Promise.all([registry?.close(), stack?.stop()]);
  project?.remove();
});

const SCRIPT = `
  import { createLocks, LeaseLostError } from "npm:leasehold";

  const [url, token, name] = Deno.args;
  const locks = createLocks({ url, token });
  const seen = await locks.lock(name).run({ lease: "20s" }, async (lease) => {
    const second = await locks.lock(name).tryAcquire();
    return { token: lease.token, second };
  });
  const lease = await locks.lock(name).acquire();
  await lease.release();
  const lost = await lease.extend().catch((error) => error instanceof LeaseLostError && error.reason);
  console.log(JSON.stringify({ ...seen, next: lease.token, lost }));
`;

test("a Deno script takes it as npm:leasehold from a registry and needs no more than the network", async () => {
  const script = project.write("script.js", SCRIPT);
  const cache = join(project.dir, "deno");
  const env = { NPM_CONFIG_REGISTRY: registry.url, DENO_DIR: cache, DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" };
  const { host } = new URL(stack.url);
  const options = ["--no-config", "--no-prompt", "--minimum-dependency-age=0", `--allow-net=${host}`];
  const args = ["run", ...options, script, stack.url, stack.token, freshName()];
  const seen = JSON.parse(await run(program(".bin/deno"), args, project.dir, env)) as Record<string, unknown>;
  expect(seen).toMatchObject({ second: null, lost: "released", token: expect.any(Number) });
  expect(seen["next"]).toBeGreaterThan(seen["token"] as number);
  expect(registry.served).toEqual(["/leasehold", "/leasehold.tgz"]);
});
