/**
 * Calls of scripts in which a command fails. Redis does not take back what a script wrote before. So after any failure,
 * nothing may be granted that nobody knows of, and a retry, a cancel and other clients must go on.
 */
import { createEngine } from "../../../engine/src/redis/engine.ts";
import { ErrorReply, type Reply } from "../../../engine/src/redis/reply.ts";
import { buildAll } from "../../../tools/lua-scripts.ts";
import { type Call, createScene, id } from "./case.ts";
import { CASES } from "./run.ts";

/** Which commands of a script fail: told the number of a command, its words, and whether its key exists. */
type Fault = (nth: number, words: readonly string[], exists: boolean) => boolean;

const INJECTED = "ERR injected";
/** Lets the test's server decide for each command of a script whether it fails. */
const PRELUDE = `
local real = redis
local redis = { sha1hex = real.sha1hex, error_reply = real.error_reply, status_reply = real.status_reply }
function redis.call(...)
  if real.call('FAULT', ...) == 1 then error({ err = '${INJECTED}' }) end
  return real.call(...)
end
function redis.pcall(...)
  if real.call('FAULT', ...) == 1 then return { err = '${INJECTED}' } end
  return real.pcall(...)
end
`;
const built: ReadonlyMap<string, string> = new Map(buildAll().map(({ name, lua }) => [name, lua]));

let ms = 0;
/** Scripts that have other texts. */
let changed: ReadonlyMap<string, string> = new Map();
let fault: Fault = () => false;
let ran: string[] = [];
/** How many commands of the last script failed. */
let failures = 0;
const engine = createEngine({
  dialect: "redis",
  now: () => ms,
  random: () => 0.5,
  commands: {
    fault: [
      -2,
      "",
      (words) => {
        ran.push(words[0] ?? "");
        const fails = fault(ran.length, words, engine.keys.has(words[1] ?? ""));
        if (fails) failures++;
        return fails ? 1 : 0;
      },
    ],
  },
});

/** What a key has: its value, and its TTL in ms, null for none. */
interface Value {
  readonly text: string | undefined;
  readonly members: ReadonlyMap<string, number>;
  /** Of a list. */
  readonly items: string | undefined;
  readonly ttl: number | null;
}
type State = ReadonlyMap<string, Value>;

/** The end of a script: its reply, the commands that it ran, and what is stored then. */
interface End {
  readonly status: string;
  readonly reply: Reply;
  readonly commands: readonly string[];
  readonly state: State;
}

function stateNow(): State {
  return new Map(
    [...engine.keys.keys()].map(({ key, type }) => {
      const set = type === "zset" ? engine.keys.get(key, "zset") : undefined;
      const members = new Map([...(set?.all ?? [])].map(({ member, score }) => [member, score]));
      const expiry = engine.keys.expiryOf(key);
      const text = type === "string" ? engine.keys.get(key, "string") : undefined;
      const items = type === "list" ? String(engine.keys.get(key, "list")?.slice()) : undefined;
      return [key, { text, members, items, ttl: expiry == null ? null : expiry - ms }];
    }),
  );
}

const shas = new Map<string, string>();
/** Loads a script unless the engine still has it, and returns its SHA-1. */
function loaded(text: string): string {
  const known = shas.get(text);
  if (known !== undefined && String(engine.run(["SCRIPT", "EXISTS", known])) === "1") return known;
  const sha = String(engine.run(["SCRIPT", "LOAD", PRELUDE + text]));
  shas.set(text, sha);
  return sha;
}

/** Runs a script on what is stored now. */
function runNow({ script, keys, args }: Pick<Call, "script" | "keys" | "args">, failing: Fault = () => false): End {
  const sha = loaded(changed.get(script) ?? built.get(script) ?? "");
  [fault, ran, failures] = [failing, [], 0];
  const reply = engine.run(["EVALSHA", sha, String(keys.length), ...keys, ...args]);
  const commands = ran;
  fault = () => false;
  const status = reply instanceof ErrorReply ? "error" : String((reply as readonly Reply[])[0]);
  return { status, reply, commands, state: stateNow() };
}

/** Runs a call and its retry. */
function runAgain(call: Call): End {
  runNow(call);
  return runNow(call);
}

/** Stores what a call found, then runs scripts. */
function restore({ stored, ms: at }: Call): void {
  ms = at;
  engine.keys.clear();
  engine.keys.at = at;
  for (const each of stored) engine.keys.restore(each.key, each);
}

const LATEST = 4e15;
const HEAD = /^(\w+) 1 (\d+) (\d+) (\S*) (\S*) (.*)$/s;

/** The ends of all live holds, those in records and those in crowds. */
function holdsOf(state: State): Map<string, number> {
  const found = new Map<string, number>();
  for (const [key, { text, members }] of state) {
    const [, , , , , holds = ""] = HEAD.exec(text ?? "") ?? [];
    for (const each of holds.split(",")) {
      const [hold = "", end] = each.split(":");
      if (Number(end) > ms * 1000) found.set(`${key} ${hold}`, Number(end));
    }
    for (const [member, score] of members)
      if (score > ms * 1000 && score < LATEST) found.set(`${key} ${member}`, score);
  }
  return found;
}
const namesOf = (state: State): readonly string[] => [...holdsOf(state).keys()].sort();

/** The last tokens of records. */
const tokensOf = (state: State): ReadonlyMap<string, number> =>
  new Map(
    [...state].flatMap(([key, { text }]) => {
      const head = HEAD.exec(text ?? "");
      return head ? [[key, Number(head[2])] as const] : [];
    }),
  );

const DRAINS = 1.1e18;
/** What requests have drained or spent, as a crowd remembers it. */
const drainsOf = (state: State): readonly string[] =>
  [...state.values()].flatMap(({ members }) =>
    [...members].filter(([member, score]) => member.startsWith("n") && score > DRAINS).map(([member]) => member),
  );

/** What a kind counts in its record: the permits that are left, the parties that are missing, attempts; a list's items. */
function countsOf(state: State): readonly string[] {
  const scores = [...state.values()].flatMap(({ members }) => [...members.values()]);
  const parties = scores.filter((score) => score === 0).length;
  return [...state].flatMap(([key, { text, items }]) => {
    const [, kind = "", , til, , , body = ""] = HEAD.exec(text ?? "") ?? [];
    const fields = body.split(" ");
    if (kind === "counter") return `${key} ${fields[0]} ${fields[4]}`;
    if (kind === "latch" && Number(til) > ms * 1000) return `${key} ${fields[0]} ${fields[1]} ${parties}`;
    if (kind === "semaphore" || kind === "rw") return `${key} ${fields[0]}`;
    if (items !== undefined) return items;
    if (kind === "" && text !== undefined) return `${key} ${text}`;
    return kind === "once" ? `${key} ${body}` : [];
  });
}
const [PLACES, ACCOUNTS, BEYOND, ACCOUNT_SIZE] = [4.5e15, 8e15, 1e16, 256];
/** The read holds that the accounts of re-entry keys have. */
const accountsOf = (state: State): readonly string[] =>
  [...state.values()].flatMap(({ members }) =>
    [...members]
      .filter(([, score]) => score >= ACCOUNTS && score < BEYOND && score % ACCOUNT_SIZE > 0)
      .map(([member, score]) => `${member} ${score % ACCOUNT_SIZE}`),
  );

/** The messages of a conversation, in order. */
const messagesOf = (state: State): readonly string[] =>
  [...state.values()].flatMap(({ members }) =>
    [...members]
      .filter(([member, score]) => member.startsWith("m") && score > PLACES && score < ACCOUNTS)
      .sort(([, one], [, other]) => one - other)
      .map(([member]) => member),
  );

/** Whether the counts are those of another state. A list may keep an old item until its next push. */
function isCounted(state: State, wanted: State, isTold = true): boolean {
  const own = (counts: readonly string[]): readonly string[] =>
    counts.filter((each) => isTold || !/ fence 1 /.test(each));
  const counts = own(countsOf(wanted));
  const found = own(countsOf(state));
  return found.length === counts.length && found.every((each, index) => each.endsWith(counts[index] ?? each));
}

/** The script that cancels a request of another. */
const CLOSES: Readonly<Record<string, string>> = {
  "lock-acquire": "lock-close",
  "fair-acquire": "fair-close",
  "fair-supersede": "fair-close",
  "fair-collect": "fair-close",
  "group-acquire": "group-close",
  "rw-acquire": "rw-close",
  "semaphore-acquire": "semaphore-close",
  "semaphore-queue": "semaphore-close",
  "once-begin": "once-close",
  "cron-begin": "held-end",
  "held-begin": "held-end",
};
/** The record of a once that is done. */
const DONE = /^once 1 \d+ \d+ \S* \S* \d+ \S* \S{36} /;
const RETENTION_MS = 60_000;
/** The keys of the script that cancels, where they differ. */
const CANCEL_KEYS: Readonly<Record<string, (keys: readonly string[]) => readonly string[]>> = {
  "fair-supersede": (keys) => [...keys, "crowd"],
  "fair-collect": (keys) => keys.slice(0, 2),
  "held-begin": ([once = "", record = ""]) => [record, once, "unused%fence"],
};
const cancelOf = (call: Call): Pick<Call, "script" | "keys" | "args"> => ({
  script: CLOSES[call.script] ?? "",
  keys: CANCEL_KEYS[call.script]?.(call.keys) ?? call.keys,
  args: [
    ...[call.args[1] ?? "", "0", String(RETENTION_MS), String(call.ms * 1000 + RETENTION_MS * 1000)],
    ...(/^(cron|held)-begin$/.test(call.script) ? ["0", "", "0", "", "", "0"] : []),
  ],
});
/** The same request of another client. */
const ofAnother = (call: Call): Call => ({
  ...call,
  args: call.args.map((arg, index) => (index === 1 ? id("n") + arg.slice(36) : arg)),
});
/** Requests that end the holds of others. They do so before they grant anything. */
const endsOthers = ({ script, args }: Call): boolean => script === "fair-supersede" || args.includes("steal");

/**
 * The script that runs a command of the application. If only the fence cannot be written then, the command is not taken
 * back.
 */
const OF_APPLICATION = "fence-call";

/** The script that may end a run without a word in the job's record, which is for people. */
const TELLING = "held-end";

/**
 * Other answers to a retry: the failed request has ended the holds, and the retry finds none of them. Permits are
 * returned even if their ID cannot be remembered.
 */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  "name-release released": ["idle", "passed"],
  "semaphore-close closed": ["lost"],
};

/**
 * Scripts of which a later call sets the TTL of a key that this one began: the next poll of a waiter, the end of a turn,
 * the next push.
 */
const LATER: ReadonlySet<string> = new Set(["fair-acquire", "fair-collect", "state-change"]);

/** While a cluster moves a slot, its server refuses every command on a key of it that is not there. */
const MOVING: Fault = (_, [command = ""], exists) => !exists && command !== "TIME" && command !== "MGET";

/** Commands that replace all that a crowd had, such as what another kind left there. */
const REPLACES = /(UNLINK|ZREM),ZADD/;

/**
 * What is wrong after a call of which some commands failed; undefined if nothing is. While a slot is moved, the call
 * must succeed, unless it replaces the whole crowd: it is refused then until the slot has moved.
 */
function wrongAfter(call: Call, whole: End, failing: Fault): string | undefined {
  restore(call);
  const before = stateNow();
  const failed = runNow(call, failing);
  const { state } = failed;
  const held = holdsOf(before);

  for (const [key, last] of tokensOf(before)) {
    const later = tokensOf(state).get(key);
    const isMissing = later === undefined && failed.status === "error" && tokensOf(whole.state).has(key);
    if (isMissing || (later !== undefined && later < last)) return `the token of ${key} fell`;
  }
  if (failing === MOVING && failed.status === "error" && !REPLACES.test(String(whole.commands)))
    return `answered ${failed.reply}`;
  if (failed.status !== "error") {
    if (failed.status !== whole.status) return `answered ${failed.status} instead of ${whole.status}`;
    if (String(namesOf(state)) !== String(namesOf(whole.state))) return `${failed.status}, but holds ${namesOf(state)}`;
    // If the record of a released name cannot be written, it is deleted: the name is free, and its past is forgotten.
    const deleted = call.keys.filter((key) => tokensOf(whole.state).has(key) && !state.has(key));
    if (deleted.some((key) => DONE.test(whole.state.get(key)?.text ?? ""))) return "a result was deleted";
    const isHeld = (key: string): boolean => [...held.keys()].some((hold) => hold.startsWith(`${key} `));
    if (failed.status === "closed" && !call.keys.includes("crowd") && !deleted.every(isHeld))
      return "a record without a hold was deleted";
    if (deleted.length > 0) return;
    if (!isCounted(state, whole.state, call.script !== TELLING)) return `${failed.status}, but ${countsOf(state)}`;
  } else {
    const granted = namesOf(state).filter((name) => !held.has(name));
    if (granted.length > 0) return `granted in spite of the error: ${granted}`;
    const isLeft = [...held.keys()].every((name) => holdsOf(state).has(name));
    const isRemembered = failures === 1 && drainsOf(state).some((member) => !drainsOf(before).includes(member));
    if (isRemembered) return "permits that were not taken are remembered as taken";
    if (/^semaphore-(close|spend)$/.test(call.script) && !isLeft) return "permits were returned in spite of the error";
  }

  // A retry does what the call would have done, or what a retry of it would do.
  const retried = runNow(call);
  restore(call);
  const wanted = failed.status === "error" ? runNow(call) : runAgain(call);
  if (ALSO[`${call.script} ${wanted.status}`]?.includes(retried.status)) return;
  if (retried.status !== wanted.status) return `a retry is answered ${retried.status} instead of ${wanted.status}`;
  // A deleted value is not brought back.
  if (call.script === "state-change" && call.args.includes("delete")) return;
  if (call.script === "state-change" && String(retried.reply) !== String(wanted.reply))
    return `a retry is answered ${retried.reply} instead of ${wanted.reply}`;
  if (String(namesOf(retried.state)) !== String(namesOf(wanted.state)))
    return `after a retry, holds are ${namesOf(retried.state)} instead of ${namesOf(wanted.state)}`;
  if (String(messagesOf(retried.state)) !== String(messagesOf(wanted.state)))
    return `after a retry, messages are ${messagesOf(retried.state)} instead of ${messagesOf(wanted.state)}`;
  if (!isCounted(retried.state, wanted.state))
    return `after a retry, counts are ${countsOf(retried.state)} instead of ${countsOf(wanted.state)}`;
  if (failed.status === "error" && String(accountsOf(retried.state)) !== String(accountsOf(wanted.state)))
    return `after a retry, accounts are ${accountsOf(retried.state)} instead of ${accountsOf(wanted.state)}`;
  for (const [key, { ttl }] of LATER.has(call.script) ? [] : retried.state)
    if (ttl === null && wanted.state.get(key)?.ttl !== null) return `after a retry, ${key} has no TTL`;

  // The caller gives up instead, and another client finds what it would have found without the call.
  if (!(call.script in CLOSES) || whole.status === "kind") return;
  const next = ofAnother(call);
  for (const [what, steps] of [
    ["a cancel", [cancelOf(call)]],
    ["the error", []],
  ] as const) {
    restore(call);
    for (const step of steps) runNow(step);
    const wanted = runNow(next).status;
    restore(call);
    const again = runNow(call, failing);
    for (const step of steps) {
      const { status } = runNow(step);
      if (status !== "closed") return `its cancel is answered ${status}`;
    }
    const found = runNow(next).status;
    if (again.status === "error" && found !== wanted && !endsOthers(call))
      return `after ${what}, another client is answered ${found} instead of ${wanted}`;
  }
  return;
}

/** Calls of a script in one of its states. */
interface Run {
  readonly call: Call;
  /** The case that makes the call. */
  readonly what: string;
}

/** The calls of all cases, some of each sort: those that run the same commands and have the same answer. */
const MAX_OF_A_SORT = 3;
/** Calls on larger crowds take long. */
const MAX_MEMBERS = 200;
function collect(): ReadonlyMap<string, readonly Run[]> {
  const sorts = new Map<string, number>();
  const found = new Map<string, Run[]>();
  for (const { what, run } of CASES) {
    const calls: Call[] = [];
    run(createScene(new Map(), (call) => calls.push(call)));
    for (const call of calls) {
      restore(call);
      const { commands, status } = runNow(call);
      const sort = `${call.script} ${commands} ${status}`;
      const count = (sorts.get(sort) ?? 0) + 1;
      sorts.set(sort, count);
      const members = call.stored.reduce((sum, each) => sum + [...each.members].length, 0);
      if (status === "error" || count > MAX_OF_A_SORT || members > MAX_MEMBERS) continue;
      const list = found.get(call.script) ?? [];
      list.push({ call, what });
      found.set(call.script, list);
    }
  }
  return found;
}
let collected: ReadonlyMap<string, readonly Run[]> | undefined;
const runsOf = (script: string): readonly Run[] => {
  collected ??= collect();
  return collected.get(script) ?? [];
};

/** The failures to try with a call: each command alone, and every command of a name. */
function faultsOf({ commands }: End): readonly (readonly [what: string, Fault])[] {
  const alone = commands.map((command, index): [string, Fault] => [
    `command ${index + 1}, ${command}, failed`,
    (nth) => nth === index + 1,
  ]);
  const named = [...new Set(commands)].map((command): [string, Fault] => [
    `every ${command} failed`,
    (_, [word]) => word === command,
  ]);
  return [...alone, ...named];
}

/** The scripts of which a command is made to fail. */
export const FAILING: readonly string[] = [...built.keys()].filter((name) => name !== OF_APPLICATION);

/** What is wrong after calls of a script in which commands failed, in words. Some scripts may have other texts. */
export function wrongAfterFailures(
  script: string,
  texts: ReadonlyMap<string, string> = new Map(),
): { readonly calls: number; readonly wrong: readonly string[] } {
  const runs = runsOf(script);
  const wrong: string[] = [];
  changed = texts;
  for (const { call, what } of runs) {
    restore(call);
    // While the slot is moved, the server runs a script only if all its keys are there.
    const isWhole = call.keys.every((key) => engine.keys.has(key));
    const whole = runNow(call);
    const faults = [...faultsOf(whole), ...(isWhole ? [["the slot was moved", MOVING] as const] : [])];
    for (const [fails, failing] of faults) {
      const found = wrongAfter(call, whole, failing);
      if (found !== undefined) wrong.push(`${fails} (${whole.commands}; ${whole.status}; ${what}): ${found}`);
    }
  }
  changed = new Map();
  return { calls: runs.length, wrong };
}
