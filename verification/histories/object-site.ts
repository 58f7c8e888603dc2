/** A site without Redis: Durable Objects in workerd, whose storage survives a restart. */
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endGroup, signalGroup, startGroup } from "./clients.ts";
import { pause } from "./random.ts";
import { type Site, TOKEN } from "./site.ts";

const ROOT = join(import.meta.dirname, "../..");
const HOOKS = join(ROOT, "tools/sources.ts");
const HOST = join(ROOT, "verification/histories/hosts/objects.ts");
/** One thread of workerd serves all objects, and writes each change to the disk before it answers. */
const AT_ONCE = 4;
/** In ms. After a restart, each object starts anew: on a busy machine, its first answer takes more than half a second. */
const LEASES = [1000, 2000, 4000];
/** On a busy machine, workerd takes seconds to restart. */
const RESTART_MS = 60_000;

function versionOfWorkerd(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, "node_modules/workerd/package.json"), "utf8")) as {
    readonly version: string;
  };
  return `workerd ${version}`;
}

/** The site, and how to freeze it for a given time. */
export interface ObjectSite extends Site {
  freeze(ms: number): Promise<void>;
}

export async function startObjects(): Promise<ObjectSite> {
  const folder = mkdtempSync(join(tmpdir(), "leasehold-objects-"));
  const child = startGroup(process.execPath, ["--import", HOOKS, HOST, TOKEN, folder], ROOT);
  child.stderr?.on("data", (text) => console.error(`objects: ${text}`));
  const stop = async (): Promise<void> => {
    await endGroup(child);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.once("data", (text) => resolve(String(text).trim()));
    child.once("exit", () => reject(new Error("the objects ended before they began")));
  });
  /** Resolves when the objects answer again. */
  const restart = async (order: "kill" | "deploy"): Promise<void> => {
    child.stdin?.write(`${order}\n`);
    if (child.stdout) await once(child.stdout, "data", { signal: AbortSignal.timeout(RESTART_MS) });
  };
  const freeze = async (ms: number): Promise<void> => {
    signalGroup(child, "SIGSTOP");
    await pause(ms);
    signalGroup(child, "SIGCONT");
  };
  return {
    name: "Durable Objects",
    freeze,
    server: versionOfWorkerd(),
    atOnce: AT_ONCE,
    leases: LEASES,
    url,
    speaks: "http",
    isStrict: true,
    keepsData: true,
    nemeses: {
      "objects frozen": (random) => freeze(random.between(50, 900)),
      "objects killed": () => restart("kill"),
      "objects replaced by a version": () => restart("deploy"),
    },
    stop,
  };
}
