/**
 * The demo's core: deliveries in several copies to several instances, one handler that freezes, and the audit
 * afterwards.
 */
import type { ChosenRedis } from "../tools/redis-choice.ts";
import { installAudit, type Row, readRows } from "./audit.ts";
import { type CronOutcome, playCron } from "./cron.ts";
import { type Delivery, realDeliveries } from "./deliveries.ts";
import { type CountingGateway, startCountingGateway } from "./gateway.ts";
import { type Answer, sendPatiently } from "./sender.ts";
import { type Reporter, reportOn, type Story } from "./story.ts";
import { startWorkers, type Workers } from "./workers.ts";

export interface Scenario {
  readonly deliveries: number;
  /** How many copies of each are sent at the same time. */
  readonly copies: number;
  readonly instances: number;
  /** How many deliveries are in progress at a time. */
  readonly inFlight: number;
  readonly leaseMs: number;
  /** How long a separate instance freezes during the first attempt of the first delivery. */
  readonly freezeMs: number;
  /** How many times one occurrence of the cron is invoked at the same time. */
  readonly cronInvocations: number;
}

export interface Outcome {
  readonly deliveries: readonly Delivery[];
  /** The delivery whose first handler froze. */
  readonly frozen: Delivery;
  readonly story: Story;
  readonly answers: readonly Answer[];
  /** How long one command to Redis took through the same gateway before anything else ran, in ms. */
  readonly pingMs: number;
  readonly rows: readonly Row[];
  readonly redisRequests: number;
  readonly tookMs: number;
  readonly cron: CronOutcome;
}

const PINGS = 20;

export type OnProgress = (text: string) => void;

/** The median time of a command to Redis, through the gateway. */
async function measurePing({ url, token }: CountingGateway): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < PINGS; n++) {
    const began = performance.now();
    const headers = { Authorization: `Bearer ${token}` };
    await (await fetch(url, { method: "POST", headers, body: '["PING"]' })).text();
    times.push(performance.now() - began);
  }
  return times.sort((one, other) => one - other)[PINGS / 2] ?? Number.NaN;
}

async function deliver(
  scenario: Scenario,
  workers: Workers,
  deliveries: readonly Delivery[],
  { say, reporter }: { readonly say: OnProgress; readonly reporter: Reporter },
) {
  const urls = workers.urls.slice(0, scenario.instances);
  const answers: Answer[] = [];
  const finished = new Set<string>();
  const onAnswer = (answer: Answer): void => {
    answers.push(answer);
    reporter.answered(answer);
    if (answer.code === 200) finished.add(answer.id);
    say(`${finished.size} of ${deliveries.length} deliveries done, ${answers.length} requests`);
  };
  const waiting = deliveries.entries();
  const patient: Promise<void>[] = [];

  /** The first copy of the first delivery goes to the last instance, which freezes once it has begun. */
  async function freeze(delivery: Delivery): Promise<void> {
    const header = { "X-Demo-Freeze": String(scenario.freezeMs) };
    patient.push(sendPatiently([...workers.urls].reverse(), 0, delivery, header, onAnswer));
    await reporter.froze();
    patient.push(reporter.overtaken());
  }

  async function lane(): Promise<void> {
    for (const [at, delivery] of waiting) {
      if (at === 0) await freeze(delivery);
      const copies = at === 0 ? scenario.copies - 1 : scenario.copies;
      const answered = Array.from({ length: copies }, (_, copy) => {
        let first: () => void = () => {};
        const answer = new Promise<void>((resolve) => (first = resolve));
        const done = sendPatiently(urls, at + copy, delivery, {}, (given) => {
          onAnswer(given);
          first();
        });
        patient.push(done);
        return Promise.race([answer, done]);
      });
      // The lane continues once all copies had a first answer; failed ones are retried meanwhile.
      await Promise.all(answered);
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
  const pingMs = await measurePing(gateway);
  const before = gateway.requests;
  const startedAt = performance.now();
  const reporter = reportOn(workers.db, frozen.id, scenario.freezeMs);
  const answers = await deliver(scenario, workers, deliveries, { say, reporter });
  const tookMs = performance.now() - startedAt;
  const rows = await readRows(workers.db);
  const redisRequests = gateway.requests - before;
  if (!workers.cron) throw new RangeError("the cron is not there");
  const cron = await playCron(workers.cron, gateway, scenario.instances, scenario.cronInvocations);
  return { deliveries, frozen, story: reporter.tell(), answers, pingMs, rows, redisRequests, tookMs, cron };
}

/** Starts everything with a Redis, runs the scenario, and ends everything, including Redis. */
export async function runScenario(
  scenario: Scenario,
  redis: ChosenRedis,
  say: OnProgress = () => {},
): Promise<Outcome> {
  const secret = crypto.randomUUID();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => redis.stop());
  say("starting the gateway");
  const gateway = await startCountingGateway(redis);
  stack.defer(() => gateway.close());
  say(`starting ${scenario.instances + 1} workerd instances`);
  const vars = {
    UPSTASH_REDIS_REST_URL: gateway.url,
    UPSTASH_REDIS_REST_TOKEN: gateway.token,
    GITHUB_WEBHOOK_SECRET: secret,
    LEASE: `${scenario.leaseMs}ms`,
    DEMO: "1",
  };
  // The demo does not print the cron's own report.
  const workers = await startWorkers(scenario.instances + 1, vars, () => {}, true);
  stack.defer(() => workers.dispose());
  return await play(scenario, gateway, workers, secret, say);
}
