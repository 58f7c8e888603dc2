import type { Note, Noted } from "../notes.ts";
import type { Result } from "../run.ts";
import type { Fate, Hold, Pause, Picture, Reliance, ShownCall, ShownRequest } from "./picture.ts";

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type NotedAs<Type extends Note["type"]> = Extract<Note, { readonly type: Type }> & { readonly at: number };

/** A request or an answer that takes longer is late. Others travel for 6 ms, a few of them for 300. */
const LATE_MS = 301;

/** How the scripts and faults that end a hold end it. The first that matches counts. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/close|held-end|name-release/, "released"],
  [/force/, "ended by an operator"],
  [/complete/, "completed"],
  [/spend/, "spent"],
  [/supersede/, "superseded by a newer turn"],
  [/collect/, "ended by the next turn"],
  [/flush|evict|restart|failover/, "lost by the server"],
  [/server clock/, "ended by a step of the server's clock"],
  [/commit/, "given the token of the majority"],
];
const endingBy = (cause: string): string => ENDINGS.find(([pattern]) => pattern.test(cause))?.[1] ?? "taken by another";

/** The holds of all names, from the notes of who holds each name. */
function holdsOf(notes: readonly Noted[], durationMs: number): Hold[] {
  type Open = Writable<Hold> & { endsAt: number };
  const open = new Map<string, Map<string, Open>>();
  const all: Open[] = [];

  function end(hold: Open, at: number, cause: string): void {
    const hasExpired = at >= hold.endsAt;
    hold.to = Math.min(at, hold.endsAt);
    hold.ending = hasExpired ? "expired" : endingBy(cause);
  }

  for (const note of notes) {
    if (note.type !== "held") continue;
    const { name, by, at } = note;
    const before = open.get(name) ?? new Map<string, Open>();
    const after = new Map<string, Open>();
    for (const { id, call, token, endsAt } of note.holds) {
      const known = before.get(id);
      const isSame = known?.token === token && known.endsAt >= at;
      const hold = isSame ? known : { name, call, token, from: at, to: durationMs, ending: "still held", endsAt };
      hold.endsAt = endsAt;
      if (!isSame) all.push(hold);
      after.set(id, hold);
    }
    for (const hold of before.values()) if (![...after.values()].includes(hold)) end(hold, at, by);
    open.set(name, after);
  }
  for (const holds of open.values()) for (const hold of holds.values()) end(hold, durationMs, "");
  return all.map(({ endsAt: _, ...hold }) => hold);
}

/** What became of a request, in one word. */
function fateOf({ sentAt, arrivedAt, endedAt }: ShownRequest, isAnswered: boolean, status: number): Fate {
  const [arrival = sentAt] = arrivedAt;
  if (arrivedAt.length > 1) return "twice";
  // Also if its client has stopped waiting by then.
  if (arrival - sentAt > LATE_MS) return "late";
  if (!isAnswered) return "lost";
  if (status !== 200) return "refused";
  return endedAt - arrival > LATE_MS ? "late" : "answered";
}

const ANSWERS: Readonly<Record<number, string>> = {
  200: "an answer",
  400: "an error (400): the server does not know the script yet, or refuses it",
  429: "too many requests (429)",
};

function requestsOf(notes: readonly Noted[], durationMs: number): ShownRequest[] {
  type Open = Writable<ShownRequest> & { arrivedAt: number[]; statuses: string[]; isAnswered: boolean; status: number };
  const all = new Map<string, Open>();
  for (const note of notes) {
    if (note.type === "sent") {
      const { request: id, call, server, name, script, at } = note;
      all.set(id, {
        ...{ id, call, server, script, sentAt: at, name: `${server}/${name}` },
        ...{ fate: "lost", arrivedAt: [], statuses: [], endedAt: durationMs, ending: "nothing until the end" },
        ...{ isAnswered: false, status: 200 },
      });
      continue;
    }
    const request = "request" in note ? all.get(note.request) : undefined;
    if (!request) continue;
    if (note.type === "arrived") request.arrivedAt.push(note.at);
    else if (note.type === "executed") request.statuses.push(note.status);
    else request.endedAt = note.at;
    if (note.type === "answered") {
      request.isAnswered = true;
      request.status = note.status;
      request.ending = ANSWERS[note.status] ?? `an error (${note.status})`;
    } else if (note.type === "broke") request.ending = `a broken connection (${note.code})`;
    else if (note.type === "gave up") request.ending = "nothing, and stops waiting";
  }
  return [...all.values()].map(({ isAnswered, status, ...request }) => ({
    ...request,
    fate: fateOf(request, isAnswered, status),
  }));
}

/** Notes of one type. */
const ofType = <Type extends Note["type"]>(notes: readonly Noted[], type: Type): NotedAs<Type>[] =>
  notes.filter((note): note is NotedAs<Type> => note.type === type);

/** Notes that end something, by the call. */
const byCall = <N extends { readonly call: string }>(notes: readonly N[]): ReadonlyMap<string, N> =>
  new Map(notes.map((note) => [note.call, note]));

function callsOf(notes: readonly Noted[], durationMs: number): ShownCall[] {
  const ends = byCall(ofType(notes, "ended"));
  return ofType(notes, "call").map(({ call: id, what, at }) => {
    const end = ends.get(id);
    return { id, what, from: at, to: end?.at ?? durationMs, outcome: end?.outcome ?? "never ends" };
  });
}

function reliancesOf(notes: readonly Noted[], durationMs: number): Reliance[] {
  const ends = byCall(ofType(notes, "relies no more"));
  return ofType(notes, "relies").map(({ call, token, names, at }) => {
    return { call, token, names, from: at, to: ends.get(call)?.at ?? durationMs };
  });
}

const inMs = (ms: number): string => `${Math.abs(ms).toFixed(0)} ms`;

/** Faults in words, by what was noted. */
const FAULTS: Readonly<Record<string, (ms: number) => string>> = {
  crash: () => "crashes for good",
  "clock set": (ms) => `has its clock set ${ms < 0 ? "back" : "forward"} by ${inMs(ms)}`,
  "script flush": () => "forgets all scripts",
  flush: () => "loses all data",
  evict: () => "evicts one key",
  "memory full": (ms) => `has no memory left for ${inMs(ms)}`,
  "server clock": (ms) => `has its clock set ${ms < 0 ? "back" : "forward"} by ${inMs(ms)}`,
  restart: (ms) => `restarts, and has lost the writes of the last ${inMs(ms)}`,
  failover: (ms) => `fails over to a replica that lacks the writes of the last ${inMs(ms)}`,
  "restart without a loss": () => "restarts with all its data",
};

export interface Shown {
  /** The command that runs it again. */
  readonly command: string;
  /** The rule that was broken on purpose, if any. */
  readonly planted?: string | undefined;
}

/** The picture of a run whose notes were kept. */
export function pictureOf({ plan, notes, hosts }: Result, { command, planted }: Shown): Picture {
  // The checks at the end look at the state of a year later.
  const durationMs = notes.reduce((latest, { type, at }) => (type === "found" ? latest : Math.max(latest, at)), 1);
  const holds = holdsOf(notes, durationMs);
  const requests = requestsOf(notes, durationMs);
  return {
    ...{ kind: plan.kind, seed: plan.seed, command, planted, durationMs, hosts, holds, requests },
    names: [...new Set([...holds, ...requests].map(({ name }) => name))].sort(),
    calls: callsOf(notes, durationMs),
    reliances: reliancesOf(notes, durationMs),
    pauses: notes.flatMap((note): Pause[] => {
      const { at: from } = note;
      if (note.type === "froze")
        return [{ host: note.host, from, to: from + note.ms, state: note.sleeps ? "asleep" : "frozen" }];
      if (note.type === "cut")
        return [{ host: note.host, from, to: from + note.ms, state: "cut off", server: note.server }];
      const isCrash = note.type === "fault" && note.what === "crash";
      return isCrash ? [{ host: note.where, from, to: durationMs, state: "crashed" }] : [];
    }),
    faults: ofType(notes, "fault").map(({ where, what, ms = 0, at }) => ({
      ...{ where, at, what: FAULTS[what]?.(ms) ?? what },
    })),
    messages: ofType(notes, "message").map(({ channel, text, fate, at }) => ({ name: channel, at, text, fate })),
    findings: ofType(notes, "found").map(({ at, rule, text, excuse }) => ({
      ...{ at: Math.min(at, durationMs), rule, text, excuse },
    })),
  };
}
