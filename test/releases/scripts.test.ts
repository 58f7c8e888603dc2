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

/** Whether the last release had an argument too. Without a later one, the present scripts do as its scripts did. */
const isKnown = (script: string, arg: string): boolean => former.get(script)?.args.split(" ").includes(arg) === true;

const START_MS = 1_795_000_000_000;
const RUNS = Number(process.env["RELEASE_RUNS"] ?? 150);

/** The holders that name-inspect lists, which the last release gave in the order of a hash table. */
const holdersInOrder = (field: string | number): string | number =>
  typeof field === "string" && /^=\d+(;|$)/.test(field) ? field.slice(1).split(";").sort().join(";") : field;

/** A reply as both releases give it: a refusal that needed no clock says so in another way since. */
function common(reply: Reply): unknown {
  if (reply instanceof ErrorReply) return { error: reply.message.replace(/ script: .*/, "") };
  if (!Array.isArray(reply)) return reply;
  const [status, now, ...fields] = reply as readonly (string | number)[];
  return [status, Math.abs(Number(now)), ...(status === "held" ? fields.slice(0, 4) : fields.map(holdersInOrder))];
}

const sorted = (text: string, piece: RegExp): string => (text.match(piece) ?? []).sort().join("");
/** A stored string with the holds of a record, and the closed ids of a group, in one order. */
const ordered = (value: Reply): unknown =>
  typeof value === "string" && !value.startsWith("fence ")
    ? value.replace(
        /^(\w+ 1 \d+ \d+) (\S*) (\S*) /,
        (_, head: string, closed: string, holds: string) =>
          `${head} ${closed.replace(/[^;:]{13,}/g, (group) => sorted(group, /.{13}/g))} ${sorted(holds, /[^,]+,/g)} `,
      )
    : value;

const contentsOf = (engine: Engine): unknown =>
  KEYS.filter((key) => key !== CLOCK_KEY).map((key) => {
    const value = engine.run(["GET", key]);
    const stored = value instanceof ErrorReply ? engine.run(["ZRANGE", key, "0", "-1", "WITHSCORES"]) : value;
    return [key, engine.run(["PTTL", key]), ordered(stored)];
  });

const commandOf = ({ name, keys }: ScriptCall, given: ReadonlyMap<string, string>, isFormer: boolean): string[] => {
  const { args, lua } = (isFormer ? former : present).get(name) as Script;
  const values = args.split(" ").map((arg) => {
    const value = (isKnown(name, arg) && given.get(arg)) || "";
    return (isFormer && FORMER_VALUES[arg]?.[value]) || value;
  });
  return ["EVAL", lua, String(keys.length), ...keys, ...(args === "" ? [] : values)];
};

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
        const before = common(alone.run(commandOf(call, given, true)));
        const after = common(shared.run(commandOf(call, given, isFormer)));
        const story = `${call.name} of the ${isFormer ? "last" : "present"} release: ${[...given.values()].join(" ")}`;
        expect(after, story).toEqual(before);
        expect(contentsOf(shared), story).toEqual(contentsOf(alone));
      }
    });
    fc.assert(property, { numRuns: RUNS, endOnFailure: true });
  });
});
