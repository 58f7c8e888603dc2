import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort, type RedisServer, startRedis } from "../../tools/redis.ts";
import { NODE_FLAGS } from "../bench/node-flags.ts";
import { HTTP_LIMITS, LIMITS } from "../src/shared/limits.ts";
import { SETTINGS } from "../src/shared/settings.ts";
import { call, TOKEN } from "./support/harness.ts";

const root = resolve(import.meta.dirname, "../..");
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** The instructions of the Dockerfile, stage by stage. */
const stages: Instruction[][] = [];
for (const line of textOf("gateway/deploy/Dockerfile").replaceAll(/\\\n/g, " ").split("\n")) {
  if (line.trim() === "" || line.startsWith("#")) continue;
  const [name = "", ...rest] = line.trim().split(/\s+/);
  if (name === "FROM") stages.push([]);
  stages.at(-1)?.push({ name, rest: rest.join(" ") });
}
const all = stages.flat();
const last = stages.at(-1) ?? [];
const of = (stage: readonly Instruction[], name: string): string[] =>
  stage.filter((it) => it.name === name).map(({ rest }) => rest);

/** What goes to the builder, by `Dockerfile.dockerignore`: everything is left out but what is named. */
const context = textOf("gateway/deploy/Dockerfile.dockerignore").trim().split("\n");
const isSent = (path: string): boolean =>
  context.some((line) => path === line.slice(1) || path.startsWith(`${line.slice(1)}/`));

interface Copy {
  readonly from: string | undefined;
  readonly sources: readonly string[];
  readonly to: string;
}
const copies = (stage: readonly Instruction[]): Copy[] =>
  of(stage, "COPY").map((rest) => {
    const words = rest.split(" ");
    const from = words[0]?.startsWith("--from=") ? words.shift()?.slice("--from=".length) : undefined;
    return { from, sources: words.slice(0, -1), to: words.at(-1) ?? "" };
  });

describe("the Dockerfile (read and played through: no engine is needed)", () => {
  it("has instructions that are known, in stages that are there, without a secret", () => {
    const known = "FROM WORKDIR COPY RUN ENV USER EXPOSE HEALTHCHECK STOPSIGNAL ENTRYPOINT".split(" ");
    for (const { name } of all) expect(known).toContain(name);
    const names = of(all, "FROM").flatMap((rest) => / AS (\w+)$/.exec(rest)?.[1] ?? []);
    for (const { from } of stages.flatMap(copies)) if (from !== undefined) expect(names).toContain(from);
    for (const rest of of(all, "FROM")) expect(rest).toMatch(/^node:24-alpine( AS \w+)?$/);
    expect(of(all, "ENV").join()).not.toMatch(/TOKEN|PASSWORD|REDIS|PORT/);
  });

  it("copies files that are there, and that go to the builder", () => {
    expect(context[0]).toBe("*");
    const sources = stages
      .flatMap(copies)
      .filter(({ from }) => from === undefined)
      .flatMap((it) => it.sources);
    expect(sources.length).toBeGreaterThan(5);
    for (const source of sources)
      expect([source, existsSync(join(root, source)), isSent(source)]).toEqual([source, true, true]);
    for (const line of context.slice(1)) expect([line, sources.includes(line.slice(1))]).toEqual([line, true]);
  });

  it("runs as nobody special, in exec form", () => {
    expect(of(last, "USER")).toEqual(["1000:1000"]);
    const order = last.map(({ name }) => name);
    expect(order.indexOf("USER")).toBeLessThan(order.indexOf("ENTRYPOINT"));
    expect(JSON.parse(of(last, "ENTRYPOINT")[0] ?? "")).toEqual(["node", ...NODE_FLAGS, "dist/cli/main.js"]);
    expect(JSON.parse(/CMD (.*)$/.exec(of(last, "HEALTHCHECK")[0] ?? "")?.[1] ?? "")).toEqual(["sh", "health.sh"]);
    expect(of(last, "STOPSIGNAL")).toEqual(["SIGTERM"]);
  });
});

describe("played through", () => {
  let folder: string;
  let redis: RedisServer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "leasehold-image-"));
    redis = await startRedis();
  });
  afterAll(async () => {
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("it builds from what it copies, serves, and is found healthy", async () => {
    const workdirs = new Map<string, string>();
    for (const [at, stage] of stages.entries()) {
      const home = join(folder, String(at));
      mkdirSync(home);
      workdirs.set(/ AS (\w+)$/.exec(stage[0]?.rest ?? "")?.[1] ?? "", home);
      for (const { name, rest } of stage) {
        if (name === "COPY") {
          const [{ from, sources, to } = { from: undefined, sources: [], to: "" }] = copies([{ name, rest }]);
          for (const source of sources) {
            const inStage = from === undefined ? undefined : source.replace(/^\/\w+\//, "");
            const origin = inStage === undefined ? join(root, source) : join(workdirs.get(from ?? "") ?? "", inStage);
            const isFolder = !/\.\w+$/.test(source) && !source.endsWith("LICENSE");
            const target = isFolder ? join(home, to) : join(home, to, source.slice(source.lastIndexOf("/") + 1));
            mkdirSync(dirname(target), { recursive: true });
            cpSync(origin, target, { recursive: true, verbatimSymlinks: true });
          }
        }
        // Instead of downloading: what is installed here is what the lock file says.
        if (name === "RUN" && rest.startsWith("npm ci"))
          symlinkSync(join(root, "node_modules"), join(home, "node_modules"));
        if (name === "RUN" && !rest.startsWith("npm ci")) {
          const { status, stdout, stderr } = spawnSync("sh", ["-c", rest], { cwd: home, encoding: "utf8" });
          expect(status, stdout + stderr).toBe(0);
        }
      }
    }
    const port = await freePort();
    const cwd = workdirs.get("") ?? "";
    const image = Object.fromEntries(
      of(last, "ENV").flatMap((rest) => rest.split(" ").map((pair) => pair.split("=") as [string, string])),
    );
    const given = {
      LEASEHOLD_REDIS_URL: redis.url,
      LEASEHOLD_TOKEN: TOKEN,
      PORT: String(port),
      LEASEHOLD_LOG_LEVEL: "warn",
    };
    const env = { PATH: process.env["PATH"] ?? "", ...image, ...given };
    const [, ...args] = JSON.parse(of(last, "ENTRYPOINT")[0] ?? "[]") as string[];
    const [shell = "", ...check] = JSON.parse(
      /CMD (.*)$/.exec(of(last, "HEALTHCHECK")[0] ?? "")?.[1] ?? "[]",
    ) as string[];
    const healthWith = (more: Record<string, string>): number | null =>
      spawnSync(shell, check, { cwd, env: { ...env, ...more }, encoding: "utf8" }).status;
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise((resolve) => child.once("close", resolve));
    try {
      await Promise.race([new Promise((resolve) => child.stdout.once("data", resolve)), ended]);
      expect((await call(`http://127.0.0.1:${port}`, ["PING"])).body).toEqual({ result: "PONG" });
      // By wget alone; by the gateway's own command where a config file may name the port; and not where nobody listens.
      expect(healthWith({})).toBe(0);
      expect(healthWith({ PORT: "", LEASEHOLD_CONFIG: "/no/such/file" })).toBe(2);
      expect(healthWith({ LEASEHOLD_ADMIN_PORT: "1" })).toBe(1);
    } finally {
      child.kill("SIGTERM");
    }
    expect(await ended).toBe(0);
  }, 120_000);
});

describe("the systemd unit", () => {
  const unit = textOf("gateway/deploy/leasehold-gateway.service");

  it("has nobody's rights, reloads by SIGHUP, and waits for longer than the end takes", () => {
    const lines = unit.split("\n");
    for (const line of ["DynamicUser=yes", "NoNewPrivileges=yes", "ProtectSystem=strict", "CapabilityBoundingSet="])
      expect(lines).toContain(line);
    expect(lines).toContain("ExecReload=/bin/kill -HUP $MAINPID");
    expect(lines).toContain("EnvironmentFile=/etc/leasehold/gateway.env");
    expect(Number(/^TimeoutStopSec=(\d+)s$/m.exec(unit)?.[1])).toBeGreaterThan(10);
    expect(unit).toContain(`ExecStart=/usr/bin/env node ${NODE_FLAGS.join(" ")} /usr/`);
  });

  const hasAnalyze = spawnSync("systemd-analyze", ["--version"], { stdio: "ignore" }).status === 0;
  if (!hasAnalyze) console.log("systemd-analyze is not there: the unit is not verified");
  it.skipIf(!hasAnalyze)("is a unit that systemd has nothing to say against", () => {
    const path = join(root, "gateway/deploy/leasehold-gateway.service");
    const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", path], { encoding: "utf8" });
    expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: "" });
  });
});

describe("gateway/README.md", () => {
  const rows = textOf("gateway/README.md")
    .split("\n")
    .filter((line) => line.startsWith("| `"));

  it.each(SETTINGS)(
    "has --$flag with its variable, its name in the file, its default and its help",
    ({ flag, key, env, fallback, help }) => {
      const variables = env.map((name) => `\`${name}\``).join(", ");
      expect(rows).toContain(`| \`--${flag}\` | ${variables} | \`${key}\` | ${fallback} | ${help} |`);
    },
  );

  it("names the flags of Node that the image has", () => {
    expect(textOf("gateway/README.md").replaceAll("\n", " ")).toContain(`\`${NODE_FLAGS.join(" ")}\``);
  });

  it("has examples of the config file with settings that are there", () => {
    const examples = [...textOf("gateway/README.md").matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = ""]) =>
      JSON.parse(text),
    );
    expect(examples.length).toBeGreaterThan(0);
    for (const { databases, ...rest } of examples as { databases: object[] }[]) {
      for (const key of Object.keys(rest)) expect(SETTINGS.map((it) => it.key)).toContain(key);
      const own = SETTINGS.filter((it) => it.ofDatabase).map((it) => it.key);
      for (const key of databases.flatMap(Object.keys)) expect(["name", ...own]).toContain(key);
    }
  });

  it("has no flag that is not there", () => {
    const flags = rows.flatMap((line) => /^\| `--([\w-]+)` \|/.exec(line)?.[1] ?? []);
    expect(flags.filter((name) => !SETTINGS.some(({ flag }) => flag === name))).toEqual(["config"]);
  });
});

describe("the doc comments of the options", () => {
  const options = textOf("gateway/src/shared/options.ts").replace(/\s+\*\s+/g, " ");
  const units = { ms: "Milliseconds, ", bytes: "Bytes, ", count: "" };
  const thousands = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, " ");
  const sizeOf = (bytes: number): string =>
    bytes % 1024 ** 2 === 0 ? `${bytes / 1024 ** 2} MiB` : `${thousands(bytes / 1024)} KiB`;

  it.each(Object.entries({ ...LIMITS, ...HTTP_LIMITS }))("name the unit and the default of %s", (name, limit) => {
    const comment = options.split(`readonly ${name}?:`)[0]?.split("/**").at(-1);
    const value = limit.unit === "bytes" ? sizeOf(limit.fallback) : thousands(limit.fallback);
    expect(comment).toContain(`${units[limit.unit]}${value} by default`);
  });
});
