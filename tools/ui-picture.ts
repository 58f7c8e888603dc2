/**
 * Takes the screenshot of `leasehold ui` in the documents, docs/ui.png, in Chromium, with a private Redis on which some
 * workers contend.
 *
 *   node --import ./tools/sources.ts tools/ui-picture.ts                writes docs/ui.png
 *   node --import ./tools/sources.ts tools/ui-picture.ts --out FOLDER   writes pictures at four widths, light and dark, to look at
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { examine } from "../cli/src/operations/doctor/examine.ts";
import { startUi } from "../cli/src/ui/server.ts";
import { cronRoute, runCron } from "../src/cron/index.ts";
import { dedupeKey } from "../src/dedupe/dedupe-key.ts";
import { createLocks, type Locks } from "../src/index.ts";
import { type Page, startBrowser } from "../test/support/browser.ts";
import { startStack } from "../test/support/stack.ts";
import { buildUiPage } from "./ui-page.ts";

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const LOOK_MS = 75_000;
const LEASE = { lease: "9s" } as const;

/** Workers that contend for the same lock; one of them sometimes dies. */
async function contend(locks: Locks, label: string, endsAt: number, dies: boolean): Promise<void> {
  for (let turn = 1; Date.now() < endsAt; turn++) {
    const lease = await locks.fairLock("invoice:42").acquire({ ...LEASE, label, wait: "60s" });
    for (let step = 0; step < 3; step++) {
      await pause(2600);
      if (!(dies && turn === 1)) await lease.extend();
    }
    if (!(dies && turn === 1)) await lease.release();
    await pause(800);
  }
}

/** Names of every kind. */
async function populate(locks: Locks): Promise<void> {
  const long = { lease: "10m" } as const;
  await locks.lock("report/nightly").acquire({ ...long, label: "build 1841" });
  await locks.group("tenants").lock("tenant 7").acquire({ lease: "95s", label: "migration" });
  await locks.lock("<script>alert(1)</script>").acquire({ ...long, label: "\u202egnp.exe" });
  for (let n = 0; n < 3; n++)
    await locks.semaphore("pdf workers", { permits: 4 }).acquire({ lease: "4m", label: `page ${n + 1}` });
  for (let n = 0; n < 2; n++) await locks.readWriteLock("catalogue").read.acquire({ lease: "3m" });
  await locks.latch("import parts").trySetCount(3);
  for (const [id, fails] of [
    ["1f2a", false],
    ["77b0", true],
  ] as const) {
    const key = await dedupeKey({ sender: "github", scope: "/webhooks/github", id });
    const run = await locks.once(key).begin();
    if (run.status === "started" && !fails) await run.complete("ok");
  }
  for (const hour of ["01", "02", "03"])
    await runCron({ locks, name: "export", slot: `2026-11-22T${hour}:00:00Z` }, async () => pause(30));
  const secret = "s".repeat(16);
  const cleanUp = cronRoute({ locks, name: "clean up", secret, schedule: "0 3 * * *" }, () => pause(30));
  await cleanUp(new Request("https://shop.example/cron", { headers: { authorization: `Bearer ${secret}` } }));
  await runCron({ locks, name: "mail", slot: "2026-11-22T02:30:00Z" }, () =>
    Promise.reject(new Error("SMTP 421")),
  ).catch(() => undefined);
}

async function take(page: Page, width: number, height: number, scheme: "light" | "dark"): Promise<Buffer> {
  await page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
  await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
  await pause(1200);
  const { data } = await page.send<{ readonly data: string }>("Page.captureScreenshot", { format: "png" });
  return Buffer.from(data, "base64");
}

const { values } = parseArgs({ options: { out: { type: "string" }, seconds: { type: "string" } } });
const lookMs = values.seconds === undefined ? LOOK_MS : Number(values.seconds) * 1000;
const stack = await startStack();
const locks = createLocks({ url: stack.url, token: stack.token, holder: "web-a:4711" });
await populate(locks);
const { url, token } = stack;
const ui = await startUi(locks, {
  files: await buildUiPage(),
  allowRelease: true,
  diagnose: (how) => examine({ connection: locks.connection, address: url, rest: { url, token } }, how),
});
const chromium = startBrowser();
try {
  const page = await chromium.page();
  await page.open(`${ui.url}#name=invoice%3A42`, "document.body?.dataset.ready === 'true'");
  const endsAt = Date.now() + lookMs;
  const workers = ["web-1", "web-2", "web-3", "web-4"].map((label, n) => contend(locks, label, endsAt, n === 1));
  await pause(lookMs - 4000);
  if (values.out === undefined)
    writeFileSync(join(import.meta.dirname, "../docs/ui.png"), await take(page, 1120, 660, "light"));
  else {
    for (const scheme of ["light", "dark"] as const)
      for (const [width, height] of [
        [1400, 800],
        [1366, 650],
        [768, 1000],
        [360, 740],
      ] as const)
        for (const view of ["name=invoice%3A42", "", "view=runs", "name=pdf%20workers", "view=doctor"]) {
          await page.evaluate(`location.hash = ${JSON.stringify(view)}`);
          if (view === "view=doctor") await page.evaluate(`document.getElementById("examine").click()`);
          const name = `${view.replace(/\W+/g, "-") || "list"}-${width}-${scheme}.png`;
          writeFileSync(join(values.out, name), await take(page, width, height, scheme));
        }
  }
  for (const error of page.errors) console.error(error);
  await Promise.all(workers);
} finally {
  await chromium.close();
  await ui.close();
  await stack.stop();
}
