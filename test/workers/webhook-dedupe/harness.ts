import { installAudit, type Row, readRows } from "../../../demo/audit.ts";
import { type Delivery, signDelivery } from "../../../demo/deliveries.ts";
import { post } from "../../../demo/sender.ts";
import { startWorkers, type Workers } from "../../../demo/workers.ts";
import { type Stack, startStack } from "../../support/stack.ts";

const SECRET = "the-secret-of-the-hook";
export const LEASE_MS = 2_000;

/** The example Worker in workerd, its D1, and a real Redis behind the gateway. */
export interface Harness extends Stack {
  readonly workers: Workers;
  /** The Worker's output. */
  readonly logs: readonly string[];
  /** A delivery with an id of its own, unless one is given. */
  delivery(body?: string, id?: string): Promise<Delivery>;
  send(delivery: Delivery, headers?: Record<string, string>): Promise<Response>;
  /** Sends it to another instance, which stands still for so long once it has claimed the delivery. */
  sendToFreeze(delivery: Delivery, forMs: number): Promise<Response>;
  row(delivery: Delivery): Promise<Row | undefined>;
  /** Resolves when a handler has claimed the delivery in D1, and so is in the middle of its work. */
  claimed(delivery: Delivery): Promise<void>;
  /** Whether a script was run in Redis since the last call. */
  askedRedis(): Promise<boolean>;
}

export async function startHarness(vars: Record<string, string> = {}, instances = 1): Promise<Harness> {
  const stack = await startStack();
  const env = {
    UPSTASH_REDIS_REST_URL: stack.url,
    UPSTASH_REDIS_REST_TOKEN: stack.token,
    GITHUB_WEBHOOK_SECRET: SECRET,
    LEASE: `${LEASE_MS}ms`,
    DEMO: "1",
    ...vars,
  };
  const logs: string[] = [];
  const workers = await startWorkers(instances, env, (message) => logs.push(message));
  await installAudit(workers.db);
  const [url = "", other = ""] = workers.urls;
  const row = async ({ id }: Delivery) => (await readRows(workers.db)).find((each) => each.id === id);
  return {
    ...stack,
    workers,
    logs,
    delivery: (body = '{"action":"opened"}', id = crypto.randomUUID()) => signDelivery(SECRET, id, "issues", body),
    send: (delivery, headers) => post(url, delivery, headers),
    sendToFreeze: (delivery, forMs) => post(other, delivery, { "X-Demo-Freeze": String(forMs) }),
    row,
    async claimed(delivery) {
      while (!(await row(delivery))) await new Promise((resolve) => setTimeout(resolve, 10));
    },
    async askedRedis() {
      const calls = await stack.commandCalls();
      await stack.redis.command("CONFIG", "RESETSTAT");
      return "evalsha" in calls || "eval" in calls;
    },
    async stop() {
      await workers.dispose();
      await stack.stop();
    },
  };
}

/** The Worker's own account, with the code of its answer. */
export const answerOf = (response: Response): string =>
  `${response.status} ${response.headers.get("Leasehold-Status") ?? "-"}`;
