import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import Stripe from "stripe";
import { afterAll, expect, it } from "vitest";
import { SQLITE_FENCE_TABLE } from "../../src/fence/index.ts";
import { useStack } from "../support/use-stack.ts";
import { blocksOf, ROOT, textOf } from "./markdown.ts";

const stack = useStack();
const folder = mkdtempSync(join(ROOT, "test/documents/.examples-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As much of D1 as the fence uses, over `node:sqlite`. */
function d1Of(database: DatabaseSync) {
  const bound = (sql: string, values: readonly SQLInputValue[]) => {
    const all = async () => {
      const query = database.prepare(sql);
      const results = query.all(...values);
      const { n } = database.prepare("SELECT changes() AS n").get() as { n: number };
      return { success: true, results, meta: { changes: n } };
    };
    return { bind: (...given: SQLInputValue[]) => bound(sql, given), all, run: all };
  };
  return {
    prepare: (sql: string) => bound(sql, []),
    batch: (statements: readonly ReturnType<typeof bound>[]) => Promise.all(statements.map((each) => each.all())),
  };
}

it("the Worker of docs/stripe.md writes once, replays a duplicate, refuses a forged event, and forgets old tokens; its curl is signed (54.5, 54.10)", async () => {
  const [example] = blocksOf(textOf("docs/stripe.md"));
  const file = join(folder, "stripe.ts");
  writeFileSync(file, example?.text ?? "");
  const database = new DatabaseSync(":memory:");
  database.exec(`${SQLITE_FENCE_TABLE}; CREATE TABLE paid (invoice TEXT PRIMARY KEY)`);
  const secret = "whsec_of_the_test";
  const env = {
    DB: d1Of(database),
    STRIPE_KEY: "sk_test_of_nobody",
    STRIPE_WEBHOOK_SECRET: secret,
    UPSTASH_REDIS_REST_URL: stack.url,
    UPSTASH_REDIS_REST_TOKEN: stack.token,
  };
  const worker = (await import(/* @vite-ignore */ file)).default as {
    fetch(request: Request, bindings: typeof env): Promise<Response>;
    scheduled(event: unknown, bindings: typeof env): Promise<void>;
  };

  const payload = JSON.stringify({ id: "evt_1", type: "invoice.paid", data: { object: { id: "in_42" } } });
  const signature = new Stripe(env.STRIPE_KEY).webhooks.generateTestHeaderString({ payload, secret });
  const send = (body: string) =>
    worker.fetch(
      new Request("https://example.com/", { method: "POST", body, headers: { "Stripe-Signature": signature } }),
      env,
    );
  const [shell] = blocksOf(textOf("docs/stripe.md")).filter(({ language }) => language === "sh");
  // `curl`'s arguments are those of the page: its header and its body.
  const script = `curl() { printf '%s\\n' "$4" "$6"; }\n${shell?.text}`;
  const printed = execFileSync("sh", ["-c", script], { env: { ...process.env, STRIPE_WEBHOOK_SECRET: secret } });
  const [header = "", body = ""] = printed.toString().split("\n");
  const verified = await new Stripe(env.STRIPE_KEY).webhooks.constructEventAsync(
    body,
    header.split(": ")[1] ?? "",
    secret,
  );
  expect(verified).toMatchObject({ id: "evt_1", type: "invoice.paid" });

  const [first, again, forged] = [await send(payload), await send(payload), await send(`${payload} `)];
  expect([first.status, await first.json()]).toEqual([200, { paid: "in_42" }]);
  expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([200, "true"]);
  expect(forged.status).toBe(401);
  expect(database.prepare("SELECT invoice FROM paid").all()).toEqual([{ invoice: "in_42" }]);

  const tokens = () => database.prepare("SELECT COUNT(*) AS n FROM leasehold_fence").get();
  database.exec("INSERT INTO leasehold_fence (name, token) VALUES ('an event of 1970', 1)");
  await worker.scheduled({}, env);
  expect(tokens()).toEqual({ n: 1 });
});
