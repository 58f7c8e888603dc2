import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packed } from "../../test/platforms/package/packed.ts";
import { emptyProject, type Manifest, manifestOf, type Project } from "../../test/platforms/package/project.ts";
import { type Registry, serveRegistry } from "../../test/platforms/package/registry.ts";
import { program, run } from "../../test/support/command.ts";
import { type RedisServer, startRedis } from "../../tools/redis.ts";
import { call, TOKEN } from "./support/harness.ts";
import { urlIn } from "./support/process.ts";

let redis: RedisServer;
let registry: Registry;
let project: Project;
let manifest: Manifest;
beforeAll(async () => {
  project = emptyProject();
  const tarballs = await Promise.all([packed("leasehold-gateway"), packed(), packed("leasehold-engine")]);
  [redis, manifest, registry] = await Promise.all([startRedis(), manifestOf(tarballs[0]), serveRegistry(...tarballs)]);
  project.write(".npmrc", `registry=${registry.url}\n`);
  await project.npm("leasehold-gateway", "leasehold");
});
afterAll(async () => {
  await Promise.all([registry?.close(), redis?.stop()]);
  project?.remove();
});

const inPackage = (file: string): string => join(project.dir, "node_modules/leasehold-gateway", file);

describe("the package, installed from a registry", () => {
  it("has the files that its manifest leads to", () => {
    expect(registry.served).toContain("/leasehold-gateway");
    // It brings the Redis in memory along.
    expect(registry.served).toContain("/leasehold-engine");
    const targets = Object.values(manifest.exports).flatMap((target) =>
      typeof target === "string" ? target : Object.values(target),
    );
    const named = [...targets, ...Object.values(manifest.bin ?? {}), "README.md", "CHANGELOG.md", "LICENSE"];
    expect(named.filter((file) => !existsSync(inPackage(file)))).toEqual([]);
  });

  it("serves by its command, as npx starts it, and is found healthy", async () => {
    const command = join(project.dir, "node_modules/.bin/leasehold-gateway");
    expect(await run(command, ["--version"], project.dir)).toBe(`${manifest.version}\n`);
    const env = { ...process.env, LEASEHOLD_REDIS_URL: redis.url, LEASEHOLD_TOKEN: TOKEN, LEASEHOLD_LOG_LEVEL: "warn" };
    const child = spawn(process.execPath, [command, "--port", "0"], { env, stdio: ["ignore", "pipe", "inherit"] });
    try {
      const url = urlIn(String((await once(child.stdout, "data"))[0]));
      expect((await call(url, ["PING"])).body).toEqual({ result: "PONG" });
      await run(command, ["health", "--port", new URL(url).port], project.dir);
    } finally {
      child.kill("SIGTERM");
    }
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("serves a Redis in memory", async () => {
    const command = join(project.dir, "node_modules/.bin/leasehold-gateway");
    const env = { ...process.env, LEASEHOLD_TOKEN: TOKEN };
    const child = spawn(process.execPath, [command, "--memory", "--port", "0"], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      const url = urlIn(String((await once(child.stdout, "data"))[0]));
      expect((await call(url, ["SET", "a", "1"])).body).toEqual({ result: "OK" });
    } finally {
      child.kill("SIGTERM");
    }
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("is what the SDK speaks to in one process", async () => {
    const script = project.write(
      "in-process.js",
      `import { connect, lock } from "leasehold";
       import { createGateway } from "leasehold-gateway";
       const [redis, token] = process.argv.slice(2);
       const gateway = createGateway({ redis, token });
       await gateway.opened;
       const connection = connect({ url: "http://gateway", token, fetch: gateway.fetch });
       console.log(await lock(connection, "packed").run({ lease: "5s" }, async (lease) => lease.token > 0));
       gateway.close();`,
    );
    expect(await run(process.execPath, [script, redis.url, TOKEN], project.dir)).toBe("true\n");
  });

  it.each(["typescript-oldest", "typescript-newest"])(
    "has types that %s takes",
    async (compiler) => {
      project.write(
        `${compiler}.ts`,
        `import { createGateway, type Gateway, type GatewayServer, serveGateway } from "leasehold-gateway";
       export const gateway: Gateway = createGateway({ redis: "redis://h", token: "t", maxInFlight: 1 });
       export const server: Promise<GatewayServer> = serveGateway({ redis: "redis://h", token: "t", port: 0 });
       // @ts-expect-error no option of this name
       createGateway({ redis: "redis://h", tokn: "t" });`,
      );
      const compilerOptions = {
        ...{ lib: ["ES2022", "DOM"], target: "es2022", module: "nodenext", moduleResolution: "nodenext", types: [] },
        ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true },
      };
      project.write(`${compiler}.json`, { compilerOptions, files: [`${compiler}.ts`] });
      const tsc = program(`${compiler}/bin/tsc`);
      expect(await run(process.execPath, [tsc, "-p", `${compiler}.json`], project.dir)).toBe("");
    },
    60_000,
  );
});
