/** Checks of the protocol itself, on their own names: whether leasehold's guarantees hold on this server. */
import { lock } from "../../../../src/kinds/lock.ts";
import { once } from "../../../../src/kinds/once.ts";
import type { Connection } from "../../../../src/redis/connect.ts";
import { attempt, type Command, type Port } from "../../../../src/redis/port.ts";
import { LeaseholdError, LeaseLostError } from "../../../../src/shared/errors.ts";
import { ask } from "../ask.ts";
import { privateConnection } from "../private.ts";
import { type Check, type Finding, fail, ok, type Patient } from "./finding.ts";
import { adviceOn } from "./refusals.ts";

const LEASE_MS = 30_000;
/** A lease whose end is awaited, on a fast connection; on a slow one it must outlast its own answer. */
const SHORT_LEASE_MS = 300;
const ROUND_TRIPS = 5;
const NAMES = ["exclusion", "lost answer", "duplicate", "takeover", "once"] as const;

/** A port that remembers its commands, and drops the next answers on request. */
interface Tap {
  readonly port: Port;
  readonly sent: Command[];
  lose(count: number): void;
}

function tap(port: Port): Tap {
  const sent: Command[] = [];
  let lost = 0;
  return {
    sent,
    lose: (count) => {
      lost = count;
    },
    async port(command, signal, behind) {
      sent.push(command);
      const outcome = await port(command, signal, behind);
      if (lost === 0) return outcome;
      lost--;
      return { type: "unknown", error: "the answer was thrown away" };
    },
  };
}

/** A separate connection with a unique prefix. */
interface Bench {
  readonly connection: Connection;
  readonly wire: Tap;
  readonly slowestMs: number;
  /** Resends a command unchanged, and returns the status of the reply. */
  again(command: Command | undefined): Promise<string>;
}

function benchOf(patient: Patient): Bench {
  const { port } = patient.connection;
  const wire = tap(port);
  const connection = privateConnection(patient, "doctor", wire.port);
  return {
    connection,
    wire,
    slowestMs: patient.slowestMs ?? 0,
    async again(command) {
      if (command === undefined) return "nothing was sent";
      const outcome = await attempt(port, command, connection.requestTimeoutMs, undefined, undefined);
      if (outcome.type !== "answered") return outcome.error.split(" ")[0] ?? "";
      return Array.isArray(outcome.result) ? String(outcome.result[0]) : "no reply";
    },
  };
}

type Outcome = Omit<Finding, "check">;
const BROKEN = "do not use this server for locks: a proxy answers in its place, or it is not Redis";

async function exclusion({ connection }: Bench): Promise<Outcome> {
  const name = lock(connection, NAMES[0], { lease: LEASE_MS });
  const lease = await name.acquire({ wait: 0 });
  const second = await name.tryAcquire();
  const state = await name.inspect();
  const released = await lease.release();
  const next = await name.tryAcquire();
  if (second !== null) return fail("a lock was granted twice", BROKEN);
  if (state.state !== "held" || state.token !== lease.token)
    return fail("the server does not know the lease that it granted", BROKEN);
  if (!released || next === null) return fail("a released lock stays held", BROKEN);
  if (next.token <= lease.token) return fail("the token did not rise", BROKEN);
  await next.release();
  return ok("one holder at a time, and the token rises");
}

async function lostAnswer({ connection, wire }: Bench): Promise<Outcome> {
  const name = lock(connection, NAMES[1], { lease: LEASE_MS });
  const before = wire.sent.length;
  wire.lose(1);
  const lease = await name.acquire({ wait: 0 });
  const { holds } = lease;
  if (!(await lease.release())) return fail("a lease whose first answer was lost cannot be released", BROKEN);
  if ((await name.inspect()).state !== "free") return fail("the lost answer left a second hold", BROKEN);
  if (holds !== 1) return fail(`a retry under the same ID made ${holds} holds`, BROKEN);
  return ok(`retried under the same ID: one hold, ${wire.sent.length - before} requests`);
}

async function lateCopy({ connection, wire, again }: Bench): Promise<Outcome> {
  const name = lock(connection, NAMES[2], { lease: LEASE_MS });
  const lease = await name.acquire({ wait: 0 });
  const command = wire.sent.at(-1);
  await lease.release();
  const first = await again(command);
  const next = await name.tryAcquire();
  const second = await again(command);
  const stands = next !== null && (await next.verify());
  await next?.release();
  if ([first, second].includes("granted") || !stands)
    return fail(`a late duplicate of an acquire was answered ${first}, then ${second}`, BROKEN);
  return ok(`a late duplicate of an ended acquire is refused (${first})`);
}

async function takeover({ connection, slowestMs }: Bench): Promise<Outcome> {
  const longMs = Math.max(SHORT_LEASE_MS, ROUND_TRIPS * slowestMs);
  const shortMs = Math.ceil(Math.min(longMs, connection.requestTimeoutMs));
  const name = lock(connection, NAMES[3], { lease: shortMs });
  const lease = await name.acquire({ wait: connection.requestTimeoutMs });
  const next = await name.acquire({ wait: 2 * connection.requestTimeoutMs, lease: LEASE_MS });
  const loss = await lease.extend().then(
    () => undefined,
    (error: unknown) => error,
  );
  const stands = await next.verify();
  await next.release();
  if (!(loss instanceof LeaseLostError) || !stands) return fail("an expired lease was extended", BROKEN);
  if (next.token <= lease.token) return fail("the token did not rise", BROKEN);
  return ok(`an expired lease is taken over, and its former holder is notified (${loss.reason})`);
}

async function result({ connection }: Bench): Promise<Outcome> {
  const key = once(connection, NAMES[4], { lease: LEASE_MS, ttl: LEASE_MS });
  const runs = [await key.run(() => "9007199254740993"), await key.run(() => "again")];
  const values = runs.map((run) => (run.status === "done" ? run.result : run.status));
  if (values[0] !== values[1]) return fail(`the second run returned ${String(values[1]).slice(0, 40)}`, BROKEN);
  return ok("work runs once, and its result comes back unchanged");
}

const STEPS = [exclusion, lostAnswer, lateCopy, takeover, result] as const;

/** Removes the keys of the checks. */
async function clean({ connection }: Bench): Promise<Outcome> {
  // One by one, since on a cluster and in objects they are in different places.
  let left = 0;
  for (const name of NAMES) {
    const key = `${connection.prefix}{${name}}`;
    await ask(connection, ["DEL", key]);
    left += Number(await ask(connection, ["EXISTS", key]));
  }
  return left === 0
    ? ok("no key is left")
    : fail(`${left} ${left === 1 ? "key is" : "keys are"} left under ${connection.prefix}`, "delete what is left");
}

/** The checks of the protocol, with the one that removes their keys. */
export function protocolChecks(): readonly Check[] {
  let bench: Bench | undefined;
  const on =
    (step: (bench: Bench) => Promise<Outcome>): Check["run"] =>
    async (patient) => {
      bench ??= benchOf(patient);
      try {
        return await step(bench);
      } catch (error) {
        if (!(error instanceof LeaseholdError)) throw error;
        return fail(`${error.code}: ${patient.scrub(error.message)}`, adviceOn(error));
      }
    };
  return [...NAMES.map((name, at) => ({ name, run: on(STEPS[at] ?? clean) })), { name: "clean-up", run: on(clean) }];
}
