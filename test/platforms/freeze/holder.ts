/** The process that is frozen: does what its parent says, step by step, and reports what came of it. */
import { createLocks, type Lease, LeaseholdError, type Turn } from "../../../src/index.ts";
import { openLedger } from "./ledger.ts";

const [url = "", token = "", name = "", file = "", requestTimeout = ""] = process.argv.slice(2);
const locks = createLocks({ url, token, requestTimeout: Number(requestTimeout) });
const ledger = openLedger(file);
let lease: Lease | undefined;
let turn: Turn | undefined;

function held(): Lease {
  if (!lease) throw new Error("nothing was acquired");
  return lease;
}

function took(got: Lease | null) {
  if (!got) return null;
  lease = got;
  // Makes its timer run.
  return { token: got.token, remaining: got.remaining, aborted: got.signal.aborted };
}

const codeOf = (error: unknown): unknown =>
  error instanceof LeaseholdError
    ? { code: error.code, ...("reason" in error ? { reason: error.reason } : {}) }
    : `${error}`;

/** The first line after the freeze, which looks at the lease in one way. */
const firstLines: readonly ((lease: Lease) => unknown)[] = [
  ({ signal }) => signal.aborted,
  ({ remaining }) => remaining === 0,
  ({ expiresAt }) => expiresAt <= Date.now(),
  ({ throwIfEnded }) => {
    throwIfEnded();
    return false;
  },
  (given) => given.extend(),
  async (given) => !(await given.verify()),
  async (given) => !(await given.release()),
  (given) => given.keepAlive(() => "worked"),
];

const steps: Record<string, (argument: number) => unknown> = {
  tryAcquire: async (leaseMs) => took(await locks.lock(name).tryAcquire({ lease: leaseMs })),
  acquire: async (leaseMs) => took(await locks.lock(name).acquire({ lease: leaseMs, wait: 2500 })),
  begin: async (leaseMs) => {
    turn = await locks.once(name, { lease: leaseMs }).begin();
    return turn.status === "started" ? took(turn.lease) : turn.status;
  },
  raise: () => ledger.raise(held().token),
  write: () => ledger.write(held().token, "by the frozen"),
  /** Stopped on the very line between the look at the lease and the write. */
  lookFreezeWrite: () => {
    const { remaining } = held();
    process.kill(process.pid, "SIGSTOP");
    return { remaining, rows: ledger.write(held().token, "by the frozen") };
  },
  /** The lease's own knowledge, before anybody asks the server. */
  look: async () => {
    const { remaining } = held();
    await new Promise((resolve) => setTimeout(resolve, 1));
    return { remaining, aborted: held().signal.aborted };
  },
  /** Stopped, and on the next line it looks at the lease in one of the ways. */
  freezeLook: (way) => {
    const given = held();
    process.kill(process.pid, "SIGSTOP");
    return firstLines[way]?.(given);
  },
  verify: () => held().verify(),
  extend: () => held().extend(),
  release: () => held().release(),
  complete: () => (turn?.status === "started" ? turn.complete("by the frozen") : "not started"),
};

process.on("message", async ({ step, argument }: { step: string; argument: number }) => {
  try {
    process.send?.({ result: (await steps[step]?.(argument)) ?? null });
  } catch (error) {
    process.send?.({ result: codeOf(error) });
  }
});
process.on("disconnect", () => process.exit());
process.send?.({ result: "ready" });
