/**
 * Measures what `leasehold ui` costs, for docs/ui.md: the page in Chromium, a private Redis with plain locks, and the
 * commands that Redis counts (INFO commandstats), including those inside scripts.
 *
 *   node --import ./tools/sources.ts bench/ui.ts [--seconds 20]
 */
import { parseArgs } from "node:util";
import { startUi } from "../cli/src/ui/server.ts";
import { createLocks } from "../src/index.ts";
import { type Page, startBrowser } from "../test/support/browser.ts";
import { type Stack, startStack } from "../test/support/stack.ts";
import { buildUiPage } from "../tools/ui-page.ts";

const NAMES = [1, 5, 10_000];
const SETTLE_MS = 3000;
const LEASE_MS = 3_600_000;
/** Commands of connections and of this program, which nobody bills. */
const OTHERS = /^(info|ping|config|client|hello|command|select|auth)\b/;

const { values } = parseArgs({ options: { seconds: { type: "string", default: "20" } } });
const measuredMs = Number(values.seconds) * 1000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Costs {
  readonly names: number;
  readonly firstMs: number;
  readonly roundMs: number;
  readonly roundCommands: number;
  readonly perSecond: number;
  readonly perSecondOpen: number;
}

async function commandsOf({ commandCalls }: Stack): Promise<number> {
  const calls = Object.entries(await commandCalls()).filter(([name]) => !OTHERS.test(name));
  return calls.reduce((sum, [, count]) => sum + count, 0);
}

/** Holds this many plain locks: the first one by the SDK, the others as copies of its record. */
async function hold(stack: Stack, names: number): Promise<void> {
  const { url, token } = stack;
  await createLocks({ url, token }).lock("name 0").acquire({ lease: LEASE_MS });
  const copies =
    "for n = 1, ARGV[1] do redis.call('SET', KEYS[1] .. n .. '}', redis.call('GET', KEYS[1] .. '0}'), 'PX', ARGV[2]) end";
  await stack.redis.command("EVAL", copies, "1", "leasehold:{name ", `${names - 1}`, `${LEASE_MS}`);
}

async function ratePerSecond(stack: Stack): Promise<number> {
  const [before, began] = [await commandsOf(stack), performance.now()];
  await pause(measuredMs);
  return (((await commandsOf(stack)) - before) * 1000) / (performance.now() - began);
}

async function measure(page: Page, names: number): Promise<Costs> {
  const stack = await startStack();
  await hold(stack, names);
  const { url, token } = stack;
  const ui = await startUi(createLocks({ url, token }), { files: await buildUiPage() });
  try {
    const [before, began] = [await commandsOf(stack), performance.now()];
    await page.open(ui.url, "document.querySelector('#grid .space .row') !== null");
    const firstMs = performance.now() - began;
    while (!(await page.evaluate("document.body.dataset.ready === 'true'"))) await pause(5);
    const roundMs = performance.now() - began;
    const roundCommands = (await commandsOf(stack)) - before;
    await pause(SETTLE_MS);
    const perSecond = await ratePerSecond(stack);
    await page.evaluate("location.hash = 'name=name+0'");
    await pause(SETTLE_MS);
    const perSecondOpen = await ratePerSecond(stack);
    return { names, firstMs, roundMs, roundCommands, perSecond, perSecondOpen };
  } finally {
    await page.send("Page.navigate", { url: "about:blank" });
    await ui.close();
    await stack.stop();
  }
}

const chromium = startBrowser();
try {
  const page = await chromium.page();
  for (const names of NAMES) {
    const costs = await measure(page, names);
    const seconds = [costs.firstMs, costs.roundMs].map((ms) => `${(ms / 1000).toFixed(1)} s`);
    const rates = [costs.perSecond, costs.perSecondOpen].map((rate) => rate.toFixed(1));
    console.log(`| ${[costs.names, ...seconds, costs.roundCommands, ...rates].join(" | ")} |`);
  }
} finally {
  await chromium.close();
}
