/** The demo's core: deliveries in several copies to several instances, one handler that freezes, and the accounts afterwards. */
import { startRedis } from "../tools/redis.ts";
import { installAudit, type Row, readRows } from "./audit.ts";
import { type Delivery, realDeliveries } from "./deliveries.ts";
import { type CountingGateway, startCountingGateway } from "./gateway.ts";
import { type Answer, sendPatiently } from "./sender.ts";
import { startWorkers, type Workers } from "./workers.ts";

export interface Scenario {
  readonly deliveries: number;
  /** How many copies of each are sent at once. */
  readonly copies: number;
  readonly instances: number;
  /** How many deliveries are under way at a time. */
  readonly inFlight: number;
  readonly leaseMs: number;
  /** How long the first attempt of the first delivery sleeps in the middle of its work. */
  readonly freezeMs: number;
}

export interface Outcome {
  readonly deliveries: readonly Delivery[];
  /** The one whose first handler froze. */
  readonly frozen: Delivery;
  readonly answers: readonly Answer[];
  readonly rows: readonly Row[];
  readonly redisRequests: number;
  readonly tookMs: number;
}

export type OnProgress = (text: string) => void;

async function deliver(scenario: Scenario, urls: readonly string[], deliveries: readonly Delivery[], say: OnProgress) {
  const answers: Answer[] = [];
  const finished = new Set<string>();
  const onAnswer = (answer: Answer): void => {
    answers.push(answer);
    if (answer.code === 200) finished.add(answer.id);
    say(`${finished.size} of ${deliveries.length} deliveries done, ${answers.length} requests`);
  };
  const waiting = deliveries.entries();
  const patient: Promise<void>[] = [];

  async function lane(): Promise<void> {
    for (const [at, delivery] of waiting) {
      const extra = at === 0 ? { "X-Demo-Freeze": String(scenario.freezeMs) } : {};
      const sent = Array.from({ length: scenario.copies }, (_, copy) => {
        let first: () => void = () => {};
        const answered = new Promise<void>((resolve) => (first = resolve));
        const done = sendPatiently(urls, at + copy, delivery, extra, (answer) => {
          onAnswer(answer);
          first();
        });
        patient.push(done);
        return Promise.race([answered, done]);
      });
      // The lane goes on when all copies had a first answer, or when one sleeps; the patient ones come again meanwhile.
      await (at === 0 ? Promise.race(sent) : Promise.all(sent));
    }
  }
  await Promise.all(Array.from({ length: scenario.inFlight }, lane));
  await Promise.all(patient);
  return answers;
}

async function play(scenario: Scenario, gateway: CountingGateway, workers: Workers, secret: string, say: OnProgress) {
  await installAudit(workers.db);
  const deliveries = await realDeliveries(secret, scenario.deliveries);
  const [frozen] = deliveries;
  if (!frozen) throw new RangeError("at least one delivery");
  const startedAt = performance.now();
  const answers = await deliver(scenario, workers.urls, deliveries, say);
  const tookMs = performance.now() - startedAt;
  return { deliveries, frozen, answers, rows: await readRows(workers.db), redisRequests: gateway.requests, tookMs };
}

/** Starts everything, plays the scenario, and ends everything again. */
export async function runScenario(scenario: Scenario, say: OnProgress = () => {}): Promise<Outcome> {
  const secret = crypto.randomUUID();
  await using stack = new AsyncDisposableStack();
  say("starting Redis and the gateway");
  const redis = await startRedis();
  stack.defer(() => redis.stop());
  const gateway = await startCountingGateway(redis.url);
  stack.defer(() => gateway.close());
  say(`starting ${scenario.instances} workerd instances`);
  const workers = await startWorkers(scenario.instances, {
    UPSTASH_REDIS_REST_URL: gateway.url,
    UPSTASH_REDIS_REST_TOKEN: gateway.token,
    GITHUB_WEBHOOK_SECRET: secret,
    LEASE: `${scenario.leaseMs}ms`,
    DEMO: "1",
  });
  stack.defer(() => workers.dispose());
  return await play(scenario, gateway, workers, secret, say);
}
