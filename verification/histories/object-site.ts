/** A site without Redis: Durable Objects in workerd, whose storage survives a restart. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endGroup, signalGroup, startGroup } from "./clients.ts";
import { pause } from "./random.ts";
import { type Site, TOKEN } from "./site.ts";

const ROOT = join(import.meta.dirname, "../..");
const HOOKS = join(ROOT, "tools/sources.ts");
const HOST = join(ROOT, "verification/histories/hosts/objects.ts");
/** A process takes a moment to restart. */
const DOWN_MS = 500;

function versionOfWorkerd(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, "node_modules/workerd/package.json"), "utf8")) as {
    readonly version: string;
  };
  return `workerd ${version}`;
}

export async function startObjects(): Promise<Site> {
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
  return {
    name: "Durable Objects",
    server: versionOfWorkerd(),
    url,
    speaks: "http",
    isStrict: true,
    keepsData: true,
    nemeses: {
      async "objects frozen"(random) {
        signalGroup(child, "SIGSTOP");
        await pause(random.between(50, 900));
        signalGroup(child, "SIGCONT");
      },
      async "objects killed"() {
        child.stdin?.write("kill\n");
        await pause(DOWN_MS);
      },
      async "objects replaced by a version"() {
        child.stdin?.write("deploy\n");
        await pause(DOWN_MS);
      },
    },
    stop,
  };
}
