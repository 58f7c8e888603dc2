/**
 * Durable Objects in workerd, with their storage in a folder, as a program. It prints its URL. A line on standard input
 * kills workerd, which starts again on the same URL, or deploys another version of the script, which resets all objects.
 * It prints the URL again when the objects answer again.
 */
import { createInterface } from "node:readline";
import { startReadyWorker } from "../../../durable-object/test/support/workerd.ts";
import { pause } from "../random.ts";

const RESTART_MS = 10_000;
const RETRY_MS = 100;

const [token = "", folder = ""] = process.argv.slice(2);
const worker = await startReadyWorker({ LEASEHOLD_TOKEN: token }, folder);
console.log(worker.url);

/** A response may begin in time and end too late. */
const isAnswering = (): Promise<boolean> =>
  fetch(worker.url, { signal: AbortSignal.timeout(1000) })
    .then(async (response) => (await response.text()) !== "")
    .catch(() => false);

async function answersAgain(): Promise<boolean> {
  for (const end = performance.now() + RESTART_MS; performance.now() < end; await pause(RETRY_MS))
    if (await isAnswering()) return true;
  return false;
}

/** A deployment fails if workerd is killed at the same moment, so it is retried until it is answered. */
async function obey(line: string): Promise<void> {
  if (line === "kill") worker.kill();
  let isDeployed = line === "kill";
  do {
    if (!isDeployed) await worker.deploy().catch(() => {});
    isDeployed = await answersAgain();
  } while (!isDeployed);
  console.log(worker.url);
}

let last = Promise.resolve();
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  last = last.then(() => obey(line));
});
lines.on("close", () => worker.stop().finally(() => process.exit()));
