import { afterAll, beforeAll, expect, it } from "vitest";
import { type Clock, type Connection, type LeaseholdEvent, lock, quorumLock } from "../../../src/index.ts";
import { freshName } from "../../support/stack.ts";
import { type Quorum, startQuorum } from "./quorum.ts";

const RETENTION_MS = 2000;
const FREEZE_MS = RETENTION_MS + 500;
const TIMES = { requestTimeout: RETENTION_MS / 2, retention: RETENTION_MS };
/** The place of the ID in a command that acquires a lock: `EVALSHA`, hash, number of keys, key, deadline. */
const ID_AT = 5;

let quorum: Quorum;
beforeAll(async () => {
  quorum = await startQuorum(3, { warm: true });
});
afterAll(() => quorum.stop());

/** A process that can be frozen: its timers fire after the freeze. */
function freezable(): { readonly clock: Clock; freeze(): void } {
  let frozenUntil = 0;
  const timers = {
    setTimeout: (callback: () => void, ms: number) => setTimeout(callback, Math.max(ms, frozenUntil - Date.now())),
    clearTimeout,
  };
  return {
    clock: { now: () => Date.now(), monotonic: () => performance.now(), timers },
    freeze: () => {
      frozenUntil = Date.now() + FREEZE_MS;
    },
  };
}

/** Only the first server answers. Its first grant is never heard, and ended by force. */
function oneServer(name: string) {
  const [operator] = quorum.connections(TIMES) as [Connection];
  const sent: { readonly id: string; readonly status: string }[] = [];
  const unreachable: typeof fetch = async () => {
    throw new TypeError("fetch failed");
  };
  const first: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const { result = [] } = (await response.clone().json()) as { result?: readonly string[] };
    const [status = ""] = result;
    sent.push({ id: (JSON.parse(String(init?.body)) as string[])[ID_AT] ?? "", status });
    if (sent.length > 1) return response;
    await lock(operator, name).forceRelease();
    // The next request is sent when this one is void, so its answer settles both.
    return new Promise(() => {});
  };
  return { sent, fetches: [first, unreachable, unreachable] };
}

it("an ID that a server has closed is not used again after a freeze, when the server has forgotten it (R3b)", async () => {
  const name = freshName();
  const { clock, freeze } = freezable();
  const { sent, fetches } = oneServer(name);
  // A cancel has its token, 0, in the place of the ID.
  const statuses = (): readonly string[] => sent.filter(({ id }) => id === sent[0]?.id).map(({ status }) => status);
  const onEvent = ({ type, ...event }: LeaseholdEvent): void => {
    const isBetweenRounds = type === "retried" && "why" in event && /no majority/.test(event.why);
    if (isBetweenRounds && statuses().includes("closed")) freeze();
  };
  const mine = quorumLock(quorum.connections({ fetches, clock, onEvent, ...TIMES }), name, { serverTimeout: 100 });
  await expect(mine.tryAcquire({ lease: "5s" })).rejects.toMatchObject({ code: "no_quorum" });
  const [status] = statuses();
  expect(status).toBe("granted");
  // A loaded server may answer `late`, which is no less wrong than `granted`: nothing follows.
  expect(statuses().indexOf("closed")).toBe(statuses().length - 1);
});
