import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEngine, type Engine } from "../../engine/src/redis/engine.ts";
import { ErrorReply, type Reply } from "../../engine/src/redis/reply.ts";
import { CLOCK_KEY, KEYS, type ScriptCall, scriptCalls } from "../../engine/test/support/calls.ts";
import { buildAll } from "../../tools/lua-scripts.ts";
import lastRelease from "./scripts.json" with { type: "json" };

type Script = Readonly<{ args: string; lua: string }>;
const former: ReadonlyMap<string, Script> = new Map(Object.entries(lastRelease));
const present: ReadonlyMap<string, Script> = new Map(
  buildAll().map(({ name, args, lua }) => [name, { args: args.join(" "), lua }]),
);

/** Argument values that a client of the last release sends differently. */
const FORMER_VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  asked: { "": "9000000000000000" },
};

/** Values of later arguments with which the present scripts do as the last release's do. */
const LATER_VALUES: Readonly<Record<string, string>> = { after: "0", listens: "0", ownPace: "0" };

/** Whether the last release had an argument too. Without a later one, the present scripts do as its scripts did. */
const isKnown = (script: string, arg: string): boolean => former.get(script)?.args.split(" ").includes(arg) === true;

const START_MS = 1_795_000_000_000;
/** Of each id one of these, told by the last character of its random part. */
const NOTES = ["", "a%20label@host", "@other"];
const LAST_OF_ID = 35;
const RUNS = Number(process.env["RELEASE_RUNS"] ?? 150);

/** The holders that name-inspect lists, which the last release gave in the order of a hash table. */
const holdersInOrder = (field: string | number): string | number =>
  typeof field === "string" && /^=\d+(;|$)/.test(field) ? field.slice(1).split(";").sort().join(";") : field;

/** How many fields of a reply the last release has too, where the present one has more: by status, of refusals. */
const FORMER_FIELDS: Readonly<Record<string, number>> = {
  "name-inspect live": 10,
  "once-complete completed": 0,
  "once-begin running": 1,
  "latch-wait counting": 2,
};
const FORMER_REFUSAL_FIELDS: Readonly<Record<string, number>> = { "rw-acquire": 3 };
const REFUSAL_FIELDS = 4;

/** A reply as both releases give it: a refusal that needed no clock says so in another way since. */
function common(script: string, reply: Reply): unknown {
  if (reply instanceof ErrorReply)
    return { error: reply.message.replace(/ script: .*/, "").replace(/user_script:\d+/, "") };
  if (!Array.isArray(reply)) return reply;
  const [status, now, ...fields] = reply as readonly (string | number)[];
  // The last release says less of a thief whose ID has ended.
  if (status === "superseded") return ["closed", Math.abs(Number(now))];
  const known = fields.slice(
    0,
    status === "held" ? (FORMER_REFUSAL_FIELDS[script] ?? REFUSAL_FIELDS) : FORMER_FIELDS[`${script} ${status}`],
  );
  // The last release wrote a deadline of a fair lock that nobody has as -0.
  const written = known.map((field) => (typeof field === "string" ? field.replace(/ -0$/, " 0") : field));
  return [status, Math.abs(Number(now)), ...written.map(holdersInOrder)];
}

const QUEUES: ReadonlySet<string> = new Set(["fair-acquire", "semaphore-queue"]);
/** Where a refusal of a queue has the time of the next poll. */
const BACK_AT = 6;

/** Whether the releases tell a waiter different times for its next poll: the present one has a lower maximum. */
const pacesOtherwise = (script: string, before: Reply, after: Reply): boolean =>
  QUEUES.has(script) && Array.isArray(before) && Array.isArray(after) && before[BACK_AT] !== after[BACK_AT];

const sorted = (text: string, piece: RegExp): string => (text.match(piece) ?? []).sort().join("");
/** The members and scores of a crowd, without the notes that the present release gives to waiters. */
const withoutNotes = (crowd: Reply): Reply =>
  Array.isArray(crowd) ? crowd.map((each) => `${each}`.replace(/^([wpr][^@]{36})@.*/, "$1")) : crowd;

/**
 * A stored string with the holds of a record, and the closed ids of a group, in one order. The last release wrote a
 * deadline of a fair lock that nobody has as -0, and estimated the spread of its tenures in another way.
 */
const ordered = (value: Reply): unknown =>
  typeof value === "string" && !value.startsWith("fence ")
    ? value
        .replace(
          /^(\w+ 1 \d+ \d+) (\S*) (\S*) /,
          (_, head: string, closed: string, holds: string) =>
            `${head} ${closed.replace(/[^;:]{13,}/g, (group) => sorted(group, /.{13}/g))} ${sorted(holds, /[^,]+,/g)} `,
        )
        .replace(/ -0$/, " 0")
        .replace(/^(fair .* )\d+( \d+)$/, "$1spread$2")
    : value;

const contentsOf = (engine: Engine): unknown =>
  KEYS.filter((key) => key !== CLOCK_KEY).map((key) => {
    const value = engine.run(["GET", key]);
    const crowd = (): Reply => withoutNotes(engine.run(["ZRANGE", key, "0", "-1", "WITHSCORES"]));
    const stored = value instanceof ErrorReply ? crowd() : value;
    return [key, engine.run(["PTTL", key]), ordered(stored)];
  });

/** The note of an id: always the same, as for a client. */
const noteOf = (id: string): string => NOTES[(id.codePointAt(LAST_OF_ID) ?? 0) % NOTES.length] ?? "";

/** An id whose calls, all of one client, are of one release, if it has a note. */
const isFormerCall = (id: string, isFormer: boolean): boolean =>
  noteOf(id) === "" ? isFormer : noteOf(id) === NOTES[1];

/** The value of an argument, as a client of a release gives it. A fair lock's waiter has its note in its id since. */
function argumentOf(script: string, arg: string, given: ReadonlyMap<string, string>, isFormer: boolean): string {
  const value = (isKnown(script, arg) ? given.get(arg) : LATER_VALUES[arg]) ?? "";
  const note = noteOf(given.get("id") ?? "");
  if (arg === "id" && value.includes("@")) return value.replace(/@[^,]*/, note && `@${note}`);
  if (arg === "note" && script === "fair-acquire") return note;
  if (isFormer) return FORMER_VALUES[arg]?.[value] ?? value;
  return arg === "id" && /^fair-(acquire|close)$/.test(script) && note ? `${value}@${note}` : value;
}

const commandOf = ({ name, keys }: ScriptCall, given: ReadonlyMap<string, string>, isFormer: boolean): string[] => {
  const { args, lua } = (isFormer ? former : present).get(name) as Script;
  const values = args.split(" ").map((arg) => argumentOf(name, arg, given, isFormer));
  return ["EVAL", lua, String(keys.length), ...keys, ...(args === "" ? [] : values)];
};

/**
 * Whether an ID holds some names of a group, and not the others, since these were lost. The present release closes the
 * ID then, and the last one granted or refused the rest.
 */
function holdsOnlySome(engine: Engine, { name, keys }: ScriptCall, id: string): boolean {
  if (name !== "group-acquire") return false;
  const own = keys.filter((key) => String(engine.run(["GET", key])).includes(id));
  return own.length > 0 && own.length < keys.length;
}

/** Scripts that save the expired holds of a record that they report as ended. The last release did not. */
const SAVES_ENDS: ReadonlySet<string> = new Set([
  "lock-acquire",
  "fair-acquire",
  "fair-supersede",
  "group-acquire",
  "rw-acquire",
  "once-begin",
  "crowd-extend",
  "lock-commit",
]);

/** Whether a call finds an expired hold that only the present release closes for good. */
const findsExpired = (engine: Engine, { name, keys }: ScriptCall, nowUs: number): boolean =>
  SAVES_ENDS.has(name) &&
  keys.some((key) =>
    [...String(engine.run(["GET", key])).matchAll(/:(\d+),/g)].some(([, end]) => Number(end) <= nowUs),
  );

/** Whether only the record of a crowd is lost. The present release then goes by the holds in the crowd. */
const findsEvicted = (engine: Engine, { keys }: ScriptCall): boolean => {
  const [record = "", crowd] = keys;
  return keys.length === 2 && engine.run(["EXISTS", record]) === 0 && engine.run(["EXISTS", crowd ?? ""]) === 1;
};

/** Whether a record is forced whose holds are in a crowd, which no client does: the crowd keeps them. */
const leavesCrowd = (engine: Engine, { name, keys: [record = ""] }: ScriptCall): boolean =>
  name === "record-force" && engine.run(["EXISTS", `${record}%crowd`]) === 1;

describe("two releases side by side", () => {
  it("knows the scripts of the last release", () => {
    expect([...present.keys()].filter((name) => former.has(name)).length).toBeGreaterThan(20);
  });

  it("a server that both call answers and stores what it does for the last release alone", { timeout: 600_000 }, () => {
    const turns = fc.array(fc.tuple(scriptCalls, fc.boolean()), { minLength: 1, maxLength: 60, size: "max" });
    let ms = START_MS;
    // Cleared for each run, so that each compiles a text once.
    const engineOf = (): Engine => createEngine({ dialect: "redis", now: () => ms, random: () => 0.5 });
    const [alone, shared] = [engineOf(), engineOf()];
    const property = fc.property(turns, (list) => {
      ms = START_MS;
      const times: number[] = [];
      alone.keys.clear();
      shared.keys.clear();
      for (const [call, isFormer] of list) {
        if (!former.has(call.name) || !present.has(call.name)) continue;
        ms += call.seconds * 1000 + 7;
        times.push(ms * 1000);
        const given = call.args(times);
        if (holdsOnlySome(alone, call, given.get("id") ?? "") || findsExpired(alone, call, ms * 1000)) continue;
        if (findsEvicted(alone, call) || leavesCrowd(alone, call)) continue;
        const isLast = isFormerCall(given.get("id") ?? "", isFormer);
        const replies = [true, isLast].map((former, at) =>
          (at === 0 ? alone : shared).run(commandOf(call, given, former)),
        ) as [Reply, Reply];
        // What they store differs from here on.
        if (pacesOtherwise(call.name, ...replies)) return;
        const [before, after] = replies.map((reply) => common(call.name, reply));
        const story = `${call.name} of the ${isLast ? "last" : "present"} release: ${[...given.values()].join(" ")}`;
        expect(after, story).toEqual(before);
        expect(contentsOf(shared), story).toEqual(contentsOf(alone));
      }
    });
    fc.assert(property, { numRuns: RUNS, endOnFailure: true });
  });
});
