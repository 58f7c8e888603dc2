import { afterAll, beforeAll, expect, it } from "vitest";
import { type Clock, type Connection, type LeaseholdEvent, lock, quorumLock } from "../../../src/index.ts";
import { freshName } from "../../support/stack.ts";
import { type Quorum, startQuorum } from "./quorum.ts";

const RETENTION_MS = 20_000;
const FREEZE_MS = RETENTION_MS + 500;
const TIMES = { requestTimeout: RETENTION_MS / 2, retention: RETENTION_MS };
/** Long enough for an answer on a busy machine. The test waits for it once. */
const SERVER_MS = 2000;
/** The place of the ID in a command that acquires a lock: `EVALSHA`, hash, number of keys, key, deadline. */
const ID_AT = 5;

let quorum: Quorum;
beforeAll(async () => {
  quorum = await startQuorum(3, { warm: true });
});
afterAll(() => quorum.stop());

/** A process that can be frozen: afterwards, its clocks are later. */
function freezable() {
  let frozenMs = 0;
  const clock: Clock = { now: () => Date.now() + frozenMs, monotonic: () => performance.now() + frozenMs };
  return {
    clock,
    isFrozen: () => frozenMs > 0,
    freeze: () => {
      frozenMs = FREEZE_MS;
    },
  };
}

/** Only the first server answers. Its first grant is never heard, and ended by force. */
function oneServer(name: string) {
  const [operator] = quorum.connections(TIMES) as [Connection];
  const sent: { readonly id: string; status?: string }[] = [];
  const unreachable: typeof fetch = async () => {
    throw new TypeError("fetch failed");
  };
  const first: typeof fetch = async (input, init) => {
    const request: (typeof sent)[number] = { id: (JSON.parse(String(init?.body)) as string[])[ID_AT] ?? "" };
    const isFirst = sent.push(request) === 1;
    const response = await fetch(input, init);
    const { result = [] } = (await response.clone().json()) as { result?: readonly string[] };
    request.status = result[0] ?? "";
    if (!isFirst) return response;
    await lock(operator, name).forceRelease();
    // The next request is sent when this one is void, so its answer settles both.
    return new Promise(() => {});
  };
  return { sent, fetches: [first, unreachable, unreachable] };
}

it("an ID that a server has closed is not used again after a freeze that outlasts the server's memory (R3b)", async () => {
  const name = freshName();
  const { clock, freeze, isFrozen } = freezable();
  const { sent, fetches } = oneServer(name);
  // A cancel has its token, 0, in the place of the ID.
  const statuses = () => sent.filter(({ id }) => id === sent[0]?.id).map(({ status }) => status);
  const onEvent = ({ type, ...event }: LeaseholdEvent): void => {
    const isBetweenRounds = type === "retried" && "why" in event && /no majority/.test(event.why);
    if (isBetweenRounds && statuses().includes("closed")) freeze();
  };
  const settings = { fetches, clock, onEvent, ...TIMES };
  const mine = quorumLock(quorum.connections(settings), name, { serverTimeout: SERVER_MS });
  await expect(mine.tryAcquire({ lease: "10s" })).rejects.toMatchObject({ code: "no_quorum" });
  expect(isFrozen()).toBe(true);
  expect(statuses()[0]).toBe("granted");
  // Nothing follows, however it would end.
  expect(statuses().slice(statuses().indexOf("closed"))).toEqual(["closed"]);
});
