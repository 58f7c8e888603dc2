import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLocks } from "../../src/index.ts";
import { packed } from "../../test/platforms/package/packed.ts";
import { emptyProject, type Project } from "../../test/platforms/package/project.ts";
import { freshName, useStack } from "../../test/support/use-stack.ts";
import { openStream, post, send } from "./ui/support.ts";

const stack = useStack();
let project: Project;
beforeAll(async () => {
  project = emptyProject();
  await project.npm(await packed("leasehold-cli"));
});
afterAll(() => project?.remove());

const environment = (): Record<string, string> => ({
  UPSTASH_REDIS_REST_URL: stack.url,
  UPSTASH_REDIS_REST_TOKEN: stack.token,
  PATH: dirname(process.execPath),
});

it("each command runs by the bin of the packed package", async () => {
  const prefix = `${freshName("packed")}:`;
  const lease = await createLocks({ url: stack.url, token: stack.token, prefix }).lock("stuck").acquire();
  const bin = join(project.dir, "node_modules/.bin/leasehold");
  const outputOf = async (...args: string[]): Promise<string> => await text(spawnCommand(bin, args).stdout);
  const spawnCommand = (file: string, args: string[]) =>
    spawn(file, args, { env: environment(), stdio: ["ignore", "pipe", "inherit"] });
  const key = ["--key-prefix", prefix];
  const [help, listed, inspected, examined, measured, watched] = await Promise.all([
    outputOf("--help"),
    outputOf("ls", "--json", ...key),
    outputOf("inspect", "stuck", "--json", ...key),
    outputOf("doctor"),
    outputOf("bench", "--json", "--cycles", "5", "--hand-overs", "2"),
    (async () => {
      const child = spawnCommand(bin, ["watch", "stuck", "--json", "--every", "100ms", ...key]);
      const [line] = (await once(createInterface(child.stdout), "line")) as [string];
      child.kill("SIGINT");
      expect(await once(child, "exit")).toEqual([0, null]);
      return line;
    })(),
  ]);
  for (const name of ["ls", "inspect", "watch", "release", "ui", "doctor", "bench"]) expect(help).toContain(name);
  const shown = { name: "stuck", kind: "lock", held: true, token: lease.token };
  expect(JSON.parse(listed)).toMatchObject(shown);
  expect(JSON.parse(inspected)).toMatchObject(shown);
  expect(JSON.parse(watched)).toMatchObject({ name: "stuck", token: lease.token });
  expect(examined).toMatch(/ok +exclusion /);
  expect(measured.trim().split("\n")).toHaveLength(3);
  const released = await outputOf("release", "stuck", "--fencing-token", `${lease.token}`, "--yes", ...key);
  expect(released).toBe("released stuck\n");
  expect(await lease.verify()).toBe(false);
});

it("leasehold ui of the packed package serves its page, shows what is held, releases it, and ends by Ctrl-C", async () => {
  const prefix = `${freshName("packed")}:`;
  const { url, token } = stack;
  const lease = await createLocks({ url, token, prefix }).lock("stuck").acquire({ label: "nightly" });
  const main = join(project.dir, "node_modules/leasehold-cli/dist/main.js");
  const child = spawn(process.execPath, [main, "ui", "--allow-release", "--key-prefix", prefix], {
    env: environment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    const [address = ""] = /http:\/\/127\.0\.0\.1:\d+\/[\w-]+\//.exec(line) ?? [];
    expect(line).toBe(`The page is at ${address} (Ctrl-C stops it).`);
    for (const file of ["", "page.js", "style.css", "icon.svg"])
      expect(await send(`${address}${file}`)).toMatchObject({ status: 200, body: expect.stringMatching(/.{100}/s) });
    const again = spawn(process.execPath, [
      main,
      "ui",
      "--port",
      new URL(address).port,
      "--url",
      url,
      "--token",
      token,
    ]);
    expect(await text(again.stderr)).toContain("cannot be used: EADDRINUSE");
    expect(again.exitCode ?? (await once(again, "exit"))[0]).toBe(2);
    const page = await openStream(address);
    const { rows } = await page.until("rows", (message) => message.rows.length > 0);
    expect(rows).toMatchObject([{ name: "stuck", kind: "lock", held: true, label: "nightly", token: lease.token }]);
    await page.look({ name: { name: "stuck" } });
    const { entry, history } = await page.until("name", (report) => report.entry?.holders !== undefined);
    expect(entry).toMatchObject({ holders: [{ label: "nightly" }] });
    expect(history.tenures).toMatchObject([{ token: lease.token, label: "nightly", extendedAt: [] }]);
    expect(await page.until("status", ({ lastRound }) => lastRound !== undefined)).toMatchObject({ pages: 1 });
    const released = await post(address, "release", { name: "stuck", token: lease.token });
    expect(JSON.parse(released.body)).toMatchObject({ outcome: "released" });
    expect(await lease.verify()).toBe(false);
    page.close();
  } finally {
    child.kill("SIGINT");
  }
  expect(await once(child, "exit")).toEqual([130, null]);
});
