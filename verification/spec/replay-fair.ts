/** Replays runs of fair.qnt on the real scripts of a fair lock, and compares the record, the queue and each answer. */
import { isDeepStrictEqual } from "node:util";
import { createEngine } from "../../engine/src/redis/engine.ts";
import type { State, Value } from "./quint.ts";
import { type NOTHING, type Numbers, recordOf, settled } from "./record.ts";
import type { Compared } from "./replay.ts";
import { besideOf, commandOf, type Reply, type Request, replyOf } from "./scripts.ts";

/** What a refusal says of the caller's turn. */
interface Turn {
  readonly age: number;
  readonly tenure: number;
  readonly ahead: number;
  readonly back: number;
  readonly ticket: number;
}

/** What the server knows of the name. */
interface Waiting {
  readonly record: typeof NOTHING;
  readonly queue: readonly (readonly [id: number, place: { readonly place: number; readonly deadline: number }])[];
  readonly expires: number;
  readonly tenure: number;
  readonly spread: number;
  readonly placed: number;
  readonly queued: number;
}

/** A state of fair.qnt, as far as it is compared. */
interface Step {
  readonly server: { readonly waiting: Waiting };
  readonly event: {
    readonly number: number;
    readonly asking: { readonly request: Request; readonly ticket: number };
    readonly reply: Reply;
    readonly turn: Turn;
  };
}

type Answer = readonly (string | number)[];

interface Outcome {
  readonly reply: Reply;
  readonly turn: Turn;
  readonly waiting: Waiting;
}

const KEY = "name";
const QUEUE = besideOf(KEY);
/** `GRACE` in fair.qnt, in ms. */
const GRACE_MS = 1000;
/** Where places begin: `PLACES` in lua/include/bands.lua. */
const PLACES = 4.5e15;
/** `SOON` in fair.qnt: the answer where one call could not remove all expired waiters. */
const SOON = 20_000;
const NO_TURN: Turn = { age: 0, tenure: 0, ahead: 0, back: 0, ticket: 0 };
const sameNumbers: Numbers = { of: (text) => Number(text) };

/** A waiter's two members, its place and its deadline, by its id. */
function queueOf(members: Answer): Waiting["queue"] {
  const found = new Map<number, { place: number; deadline: number }>();
  for (let index = 0; index < members.length; index += 2) {
    const member = `${members[index]}`;
    const score = Number(members[index + 1]);
    const id = Number(member.slice(1));
    const known = found.get(id) ?? { place: 0, deadline: 0 };
    found.set(id, member.startsWith("p") ? { ...known, place: score - PLACES } : { ...known, deadline: -score });
  }
  return [...found].sort(([a], [b]) => a - b);
}

/** Reads the two keys as the specification has them. */
function waitingOf(engine: ReturnType<typeof createEngine>): Waiting {
  const text = engine.keys.get(KEY, "string");
  const body = text?.split(" ").slice(6) ?? [];
  const [, , tenure = 0, placed = 0, spread = 0, queued = 0] = body.map(Number);
  const members = engine.run(["ZRANGE", QUEUE, "0", "-1", "WITHSCORES"]) as Answer;
  const expires = engine.keys.expiryOf(KEY) ?? -1;
  return {
    record: recordOf({ text, expires }, sameNumbers, sameNumbers) as typeof NOTHING,
    queue: queueOf(members),
    expires: engine.keys.expiryOf(QUEUE) ?? -1,
    ...{ tenure, placed, spread, queued },
  };
}

function turnOf([status, , , ...values]: Answer): Turn {
  if (status !== "held") return NO_TURN;
  const [age = 0, tenure = 0, ahead = 0, back = 0, ticket = 0] = values.map(Number);
  return { age, tenure, ahead, back, ticket };
}

/** Redis counts a TTL from the ms in which the script began, which may be the one before that of `TIME`. */
const isSameTime = (a: number, b: number): boolean => Math.abs(a - b) <= 1;

function isSame(got: Outcome, wanted: Outcome): boolean {
  const withoutTimes = ({ waiting, ...rest }: Outcome): object => ({
    ...rest,
    waiting: { ...waiting, expires: 0, record: { ...waiting.record, expires: 0 } },
  });
  return (
    isDeepStrictEqual(withoutTimes(got), withoutTimes(wanted)) &&
    isSameTime(got.waiting.expires, wanted.waiting.expires) &&
    isSameTime(got.waiting.record.expires, wanted.waiting.record.expires)
  );
}

/** What the specification says, in the same form. */
const wantedOf = ({ event, server: { waiting } }: Step): Outcome => ({
  reply: event.reply,
  turn: event.turn,
  waiting: {
    ...waiting,
    record: settled(waiting.record as Value) as typeof NOTHING,
    queue: [...waiting.queue].sort(([a], [b]) => a - b),
  },
});

/** The script and what it answered. */
function labelOf({ event: { asking, reply, turn } }: Step): string {
  const { script } = asking.request;
  if (reply.status === "held" && asking.ticket > 0 && turn.ticket === 0) return `${script} held, place lost`;
  if (reply.status === "held" && turn.back === SOON) return `${script} held, too many expired`;
  return `${script} ${reply.status} ${reply.reason}`.trimEnd();
}

/** Replays a run of fair.qnt on the real scripts. */
export function replayFairRun(states: readonly State[]): Compared {
  let now = 0;
  const engine = createEngine({ dialect: "redis", now: () => now / 1000, random: () => 0.5 });
  const answers = new Map<string, number>();
  let requests = 0;
  let last = 0;
  for (const [index, step] of (states as unknown as readonly Step[]).entries()) {
    const { event, server } = step;
    if (event.number === last) {
      if (server.waiting.record.kind === "none" && server.waiting.queue.length === 0) engine.keys.clear();
      continue;
    }
    last = event.number;
    now = event.reply.now;
    const { request, ticket } = event.asking;
    const more = { ticket: `${ticket}`, grace: `${GRACE_MS}` };
    const answer = engine.run(commandOf(KEY, request, more)) as Answer;
    if (!Array.isArray(answer)) throw new Error(`${request.script}: ${JSON.stringify(answer)}`);
    const wanted = wantedOf(step);
    const got = {
      reply: replyOf(request.script, answer, sameNumbers),
      turn: turnOf(answer),
      waiting: waitingOf(engine),
    };
    const label = labelOf(step);
    answers.set(label, (answers.get(label) ?? 0) + 1);
    requests++;
    if (isSame(got, wanted)) continue;
    // What follows a difference differs as well.
    const difference = `${label}, step ${index}: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`;
    return { requests, answers, differences: [difference] };
  }
  return { requests, answers, differences: [] };
}
