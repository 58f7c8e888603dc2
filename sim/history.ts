import type { Sent } from "./network.ts";
import type { Execution } from "./server.ts";
import type { World } from "./world.ts";

/**
 * The reasons that excuse what a check finds: sentences of docs/guarantees.md under "Not guaranteed"; an operator who
 * forces; and faults that are known and not mended yet.
 */
export type Sentence =
  | "A lease can end early"
  | "The first request of a client"
  | "A token can fall"
  | "A try that does not wait is not remembered when it is refused"
  | "A quorumLock needs discipline"
  | "forced by an operator"
  | "A permit that expired counts again";

/** One call of the SDK, and what came of it. */
export interface Op {
  readonly id: string;
  readonly what: string;
  readonly startedAt: number;
  /** Ids of holds that its requests asked for. */
  readonly holds: Set<string>;
  /** Where it may have been granted: keys of `names`. */
  readonly asked: Set<string>;
  /** When it ended, and how: `lease`, `null`, or an error's code. */
  endedAt?: number;
  outcome?: string;
  /** When its lease was over too. */
  overAt?: number;
  /** Requests that went unanswered in a way that the SDK could notice, and those that came back. */
  requests: number;
  copied: boolean;
  /** The acquisition that this call is about the lease of. */
  readonly of?: Op | undefined;
  /** Whether it acquires and gives back several things, so that its outcome is not that of one of them. */
  readonly isComposite?: boolean;
}

interface Belief {
  readonly op: Op;
  readonly token: number;
  readonly tokens?: Readonly<Record<string, number>>;
  /** Whether the holder may rely on the lease now. */
  holds(): boolean;
  readonly names: readonly string[];
}

export interface Violation {
  readonly rule: string;
  readonly text: string;
}

interface Hold {
  readonly id: string;
  readonly op: Op | undefined;
  readonly token: number;
  readonly owner: string;
  readonly mode: "alone" | "shared" | "permits";
  permits: number;
  /** In µs by the server's clock. */
  until: number;
  readonly grantedAt: number;
  /** Whether it was over when the server last looked: set back, its clock may bring it back, and need not. */
  wasOver?: boolean;
}

interface Waiter {
  readonly place: number;
  /** In µs by the server's clock: later than that it is dead. */
  readonly deadline: number;
}

/** Permits that a counter gave. */
interface Taken {
  readonly op: Op | undefined;
  readonly count: number;
}

/** Everything about a name, as the server's replies have told it. */
interface Name {
  holds: Map<string, Hold>;
  over: Map<string, string>;
  queue: Map<string, Waiter>;
  done: { readonly id: string; readonly until: number } | undefined;
  latch: { readonly id: string; readonly of: number; readonly parties: Set<string>; generation?: number } | undefined;
  counter: { count: number; readonly seen: Set<string>; readonly taken: Map<string, Taken> } | undefined;
  fence: { token: number; value: string; readonly seen: Set<string> } | undefined;
  lastToken: number;
  lostAt: number;
  forcedAt: number;
}

export interface History {
  readonly violations: readonly Violation[];
  readonly excused: ReadonlyMap<Sentence, number>;
  executed(execution: Execution<Op>): void;
  sent(sent: Sent<Op>): void;
  believe(belief: Belief): void;
  disbelieve(op: Op): void;
  ended(op: Op): void;
  report(rule: string, text: string, excuse?: Sentence): void;
  /** A server has lost what it had about all names, or one key. */
  lost(server: string, key?: string): void;
  /** Keeps the facts about a server's names; the function that it gives brings them back, as after a loss. */
  keep(server: string): () => void;
  stepped(server: string, ms: number): void;
  /** How many permits a semaphore has. */
  readonly permits: Map<string, number>;
}

const CLOSING = /-close$/;
const LATE_MS = 50;

/** How many permits an id asks for: `id#n`, and a note behind it. */
const permitsOf = (id: string): number => Number(/^.{36}#(\d+)/.exec(id)?.[1] ?? 1);

/** Whether a script's grant is one among several. */
function modeOf(script: string, mode: string | undefined): Hold["mode"] {
  if (script.startsWith("semaphore")) return "permits";
  return mode === "read" ? "shared" : "alone";
}

/** Copies maps, sets and plain objects two levels deep; operations stay the same. */
function copyOf<T extends object>(state: T): T {
  const copy = (value: unknown, depth: number): unknown => {
    if (depth === 0 || typeof value !== "object" || value === null) return value;
    if (value instanceof Map) return new Map([...value].map(([key, each]) => [key, copy(each, depth - 1)]));
    if (value instanceof Set) return new Set(value);
    if ("startedAt" in value) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copy(each, depth - 1)]));
  };
  return copy(state, 4) as T;
}

/** How many commands a script may run, as docs/costs.md says. */
function mostCommands(script: string, keys: number): number {
  if (script.startsWith("group")) return 3 + keys;
  if (script.startsWith("latch") || script === "crowd-inspect") return 6;
  if (/^(lock|once|hold|record|fence-write|fence-read)/.test(script)) return 4;
  return script === "fence-call" ? 5 : 10;
}

/** `clockOf` tells a server's clock in µs. */
export function createHistory(
  world: World,
  requestTimeoutMs: number,
  clockOf: (server: string) => number,
  majority = 1,
): History {
  const violations: Violation[] = [];
  const excused = new Map<Sentence, number>();
  const names = new Map<string, Name>();
  const beliefs = new Set<Belief>();
  /** The tokens that a majority has agreed on. */
  const agreed: { readonly token: number; readonly at: number; readonly names: readonly string[] }[] = [];
  const permits = new Map<string, number>();
  const steps = new Map<string, { forwardAt: number; backAt: number }>();
  const stepsOf = (server: string) => steps.get(server) ?? { forwardAt: -1, backAt: -1 };

  function report(rule: string, text: string, excuse?: Sentence): void {
    world.log(`${excuse ? `excused (${excuse})` : "VIOLATION"}: ${rule}: ${text}`);
    if (excuse) excused.set(excuse, (excused.get(excuse) ?? 0) + 1);
    else violations.push({ rule, text });
  }

  function nameOf(full: string): Name {
    const known = names.get(full);
    if (known) return known;
    const fresh: Name = {
      holds: new Map(),
      over: new Map(),
      queue: new Map(),
      done: undefined,
      latch: undefined,
      counter: undefined,
      fence: undefined,
      lastToken: 0,
      lostAt: -1,
      forcedAt: -1,
    };
    names.set(full, fresh);
    return fresh;
  }
  const serverOf = (full: string): string => full.slice(0, full.indexOf("/"));
  /** The reason why what was so at a time may have ended. */
  function lossSince(full: string, at: number): Sentence | undefined {
    const { lostAt, forcedAt } = nameOf(full);
    if (lostAt >= at || stepsOf(serverOf(full)).forwardAt >= at) return "A lease can end early";
    return forcedAt >= at ? "forced by an operator" : undefined;
  }

  const excuseOf = (full: string, op: Op): Sentence | undefined =>
    op.copied ? "A try that does not wait is not remembered when it is refused" : lossSince(full, op.startedAt);

  /** Nobody may rely on a lease while somebody else has a later tenure. */
  function checkBeliefs(full: string, hold: Hold): void {
    if (majority > 1) return;
    for (const belief of beliefs) {
      if (belief.op === hold.op || !belief.names.includes(full) || !belief.holds()) continue;
      const token = belief.tokens?.[full] ?? belief.token;
      const theirs = [...nameOf(full).holds.values()].find(({ op }) => op === belief.op);
      if (token === hold.token && hold.mode !== "permits") continue;
      if (hold.mode === "permits") continue;
      if (theirs && theirs.until > hold.grantedAt && theirs.mode === "shared" && hold.mode === "shared") continue;
      if (theirs && theirs.until > hold.grantedAt && theirs.owner !== "" && theirs.owner === hold.owner) continue;
      report(
        "belief",
        `${belief.op.id} relies on ${full} under ${token} while ${hold.op?.id} has it under ${hold.token}`,
        lossSince(full, belief.op.startedAt),
      );
    }
  }

  function checkPermits(full: string, alive: readonly Hold[], hold: Hold, known: Sentence | undefined): void {
    const limit = permits.get(full.replace(/^[^/]*\/[^{]*\{|\}.*$/g, "")) ?? 1 / 0;
    const used = alive.reduce((sum, each) => sum + each.permits, hold.permits);
    if (used > limit) report("permits", `${used} of ${limit} permits of ${full} are in use`, known);
    let believed = hold.permits;
    for (const belief of beliefs) {
      if (belief.op === hold.op || !belief.names.includes(full) || !belief.holds()) continue;
      believed += [...nameOf(full).holds.values()].find(({ op }) => op === belief.op)?.permits ?? 0;
    }
    if (believed > limit && used <= limit)
      report("belief", `${believed} of ${limit} permits of ${full} are relied on`, lossSince(full, 0));
  }

  /** A grant of a fair semaphore after the clock was set back may be one of a hold that was over. */
  function revived(full: string, { script }: Execution<Op>): Sentence | undefined {
    const isFair = script === "semaphore-queue" && stepsOf(serverOf(full)).backAt >= 0;
    return isFair ? "A permit that expired counts again" : undefined;
  }

  function checkOrder(full: string, id: string, now: number, known: Sentence | undefined): void {
    const { queue } = nameOf(full);
    const own = queue.get(id)?.place ?? 1 / 0;
    for (const [other, { place, deadline }] of queue)
      if (place < own && deadline > now)
        report(
          "fair order",
          `${id} passes ${other} in the queue of ${full}`,
          known ?? lossSince(full, world.now() - 60_000),
        );
  }

  /** No server knows all of a quorum lock: two holders must not rely on it, and its tokens rise. */
  function checkMajority(belief: Belief): void {
    for (const other of beliefs) {
      if (!other.names.some((full) => belief.names.includes(full)) || !other.holds() || !belief.holds()) continue;
      const losses = belief.names.map((full) => lossSince(full, other.op.startedAt));
      const excuse = losses.some((loss) => loss !== undefined) ? "A quorumLock needs discipline" : undefined;
      report("belief", `${belief.op.id} has ${belief.token} while ${other.op.id} relies on ${other.token}`, excuse);
    }
    for (const { token, at, names: theirs } of agreed) {
      if (at >= belief.op.startedAt || token < belief.token || theirs[0] !== belief.names[0]) continue;
      const isLost = belief.names.some((full) => nameOf(full).lostAt >= 0);
      const excuse = isLost ? "A quorumLock needs discipline" : undefined;
      report("tokens", `${belief.op.id} has ${belief.token} although ${token} was agreed on before`, excuse);
    }
    agreed.push({ token: belief.token, at: world.now(), names: belief.names });
  }

  /** Whether a request still works although its operation has ended for good. */
  function checkLate(full: string, op: Op | undefined, hold: Hold): void {
    if (!op || op.endedAt === undefined || op.outcome === "lease" || majority > 1 || op.isComposite) return;
    const excuse = excuseOf(full, op);
    if (op.outcome !== "outcome_unknown")
      report("nothing is left", `${op.id} ended with ${op.outcome} and is granted ${full} later`, excuse);
    else if (world.now() > op.endedAt + requestTimeoutMs + LATE_MS)
      report("late", `${op.id} ended long ago and is granted ${full} under ${hold.token}`, excuse);
  }

  function granted(full: string, execution: Execution<Op>): void {
    const { args, script, reply, now, op } = execution;
    const name = nameOf(full);
    const whole = args["id"] ?? "";
    const id = whole.slice(0, 36);
    const token = Number(reply["token"]);
    const until = now + Number(reply["remaining"]);
    const known = name.holds.get(id);
    if (known && known.until > now) {
      known.wasOver = false;
      if (known.token !== token && script !== "lock-commit")
        report("tokens", `${id} has ${full} under ${known.token} and is told ${token}`);
      if (until < known.until) report("never shorter", `${id} had ${full} for longer than a repeated grant says`);
      known.until = Math.max(known.until, until);
      return;
    }
    const ending = name.over.get(id) ?? (known ? "expired" : undefined);
    if (ending)
      report(
        "over is over",
        `${id} of ${op?.id} was ${ending} and is granted ${full} again`,
        op?.copied ? "A try that does not wait is not remembered when it is refused" : revived(full, execution),
      );
    const hold: Hold = {
      id,
      op,
      token,
      until,
      owner: script.startsWith("rw") ? (whole.slice(36).split("@")[0] ?? "") : (args["owner"] ?? ""),
      mode: modeOf(script, args["mode"]),
      permits: script.startsWith("semaphore") ? permitsOf(whole) : 1,
      grantedAt: now,
    };
    const alive = [...name.holds.values()].filter((each) => each.until > now && !each.wasOver);
    for (const [other, each] of name.holds) if (each.until <= now || each.wasOver) over(name, other, "expired");
    checkGrant(full, hold, alive, revived(full, execution));
    if (name.done && name.done.until > now) report("once", `${full} is done and is begun again by ${op?.id}`);
    name.done = undefined;
    if (/^fair|queue$/.test(script) && !alive.some(({ owner }) => owner !== "" && owner === hold.owner))
      checkOrder(full, id, now, revived(full, execution));
    name.queue.delete(id);
    name.holds.set(id, hold);
    name.lastToken = Math.max(name.lastToken, token);
    checkLate(full, op, hold);
    checkBeliefs(full, hold);
  }

  function checkGrant(full: string, hold: Hold, alive: readonly Hold[], known: Sentence | undefined): void {
    const name = nameOf(full);
    if (hold.mode === "permits") checkPermits(full, alive, hold, known);
    else
      for (const other of alive) {
        if (hold.mode === "shared" && other.mode === "shared") continue;
        if (hold.owner !== "" && hold.owner === other.owner) continue;
        report("one holder", `${hold.op?.id} is granted ${full} while ${other.op?.id} holds it`);
      }
    const isNew = alive.length === 0 || hold.mode === "permits";
    if (isNew && hold.token <= name.lastToken) {
      const fell = name.lostAt >= 0 && stepsOf(serverOf(full)).backAt >= 0 && "A token can fall";
      const strayed = name.lostAt >= 0 && majority > 1 && "A quorumLock needs discipline";
      report("tokens", `${full} has ${hold.token} after ${name.lastToken}`, fell || strayed || known);
    }
  }

  function over(name: Name, id: string, how: string): void {
    name.holds.delete(id);
    name.over.set(id, how);
  }

  function extended(full: string, { args, reply, now, op }: Execution<Op>): void {
    const name = nameOf(full);
    const id = (args["id"] ?? "").slice(0, 36);
    const known = name.holds.get(id);
    const until = now + Number(reply["remaining"]);
    // Where one key of two was lost, the other may still have it.
    if (!known && name.lostAt >= 0 && !name.over.has(id)) return;
    if (!known || known.until <= now) {
      report("over is over", `${op?.id} extends ${full}, which ${name.over.get(id) ?? "never was its own"}`);
      return;
    }
    if (until < known.until) report("never shorter", `${op?.id} shortened its lease of ${full}`);
    known.until = Math.max(known.until, until);
  }

  function closed(full: string, { args, now }: Execution<Op>): void {
    const name = nameOf(full);
    const given = args["id"] ?? "";
    const [, , request, which = ""] = /^([^,]+),([^,]+),(.+)$/.exec(given) ?? [];
    const id = given.slice(0, 36);
    if (request && name.over.has(request)) return;
    if (request) name.over.set(request, "used");
    const taken = args["token"] === "0" ? name.counter?.taken.get(id) : undefined;
    if (name.counter && taken) {
      name.counter.count += taken.count;
      name.counter.taken.delete(id);
    }
    name.queue.delete(id);
    const known = name.holds.get(id);
    if (known && request) {
      known.permits -= which.split(",").length;
      if (known.permits > 0) return;
    }
    if (known || args["token"] === "0") over(name, id, known && known.until <= now ? "expired" : "closed");
  }

  function forced(full: string, { args, reply }: Execution<Op>): void {
    const name = nameOf(full);
    const id = args["id"] ?? "";
    if (name.over.has(id)) return;
    name.over.set(id, "used");
    name.forcedAt = world.now();
    name.done = undefined;
    for (const [id, { mode }] of name.holds)
      if (!args["mode"] || (args["mode"] === "read") === (mode === "shared")) over(name, id, "forced");
    if (Number(reply["had"]) === 0) name.queue.clear();
  }

  function queued(full: string, { args, reply, now }: Execution<Op>): void {
    const { queue } = nameOf(full);
    const id = (args["id"] ?? "").slice(0, 36);
    const place = Number(reply["ticket"]);
    if (place > 0) queue.set(id, { place, deadline: now + Number(reply["back"]) + Number(args["grace"]) * 1000 });
    else if (Number(args["ticket"]) >= 0) queue.delete(id);
  }

  /** A quorum lock gives a hold the token that most servers have agreed on. */
  function committed(full: string, { args }: Execution<Op>): void {
    const name = nameOf(full);
    const known = name.holds.get(args["id"] ?? "");
    const token = Number(args["token"]);
    if (known) name.holds.set(known.id, { ...known, token });
    name.lastToken = Math.max(name.lastToken, token);
  }

  /** A counter's permits are taken for good, and each change is made once. */
  function counted(full: string, { args, status, reply, op }: Execution<Op>): void {
    if (args["kind"] !== "counter") return;
    const name = nameOf(full);
    const initial = args["permits"] ?? "";
    name.counter ??= { count: Number(initial || 0), seen: new Set(), taken: new Map() };
    const { counter } = name;
    if (Number.isNaN(counter.count)) counter.count = Number(initial || 0);
    const whole = args["id"] ?? "";
    const id = whole.slice(0, 36);
    if (counter.seen.has(id) || !/^(granted|done)$/.test(status)) return;
    counter.seen.add(id);
    const by = Number(args["count"]);
    const change = status === "granted" ? "take" : args["change"];
    if (change === "take") {
      const count = permitsOf(whole);
      counter.count -= count;
      counter.taken.set(id, { op, count });
      if (counter.count < 0) report("permits", `${op?.id} took ${count} of ${full}, and ${counter.count} are left`);
    } else if (change === "drain") {
      if (Number(reply["count"]) !== Math.max(counter.count, 0))
        report("permits", `${op?.id} drained ${reply["count"]} of ${counter.count} of ${full}`);
      counter.count = Math.min(counter.count, 0);
    } else counter.count = change === "add" || change === "give" ? counter.count + by : by;
  }

  function latched(full: string, { script, args, status, reply, op }: Execution<Op>): void {
    const name = nameOf(full);
    const { latch } = name;
    const id = args["id"] ?? "";
    const left = latch && Math.max(latch.of - latch.parties.size, 0);
    if (script === "latch-set") {
      if (status !== "set" || name.over.has(id)) return;
      name.over.set(id, "used");
      if (left) report("latch", `${op?.id} sets ${full} while ${left} are left`);
      name.latch = { id, of: Number(args["count"]), parties: new Set() };
    } else if (status === "forced") name.latch = undefined;
    else if (status === "live" && latch) {
      latch.generation ??= Number(reply["token"]);
      const told = Number(String(reply["body"]).slice(1).split(" ")[0]);
      if (told !== left)
        report("latch", `${full} is at ${told}, and ${latch.parties.size} of ${latch.of} were counted`);
    } else if (status === "left" && latch) {
      if (Number(args["generation"]) === latch.generation) latch.parties.add(id);
      const rest = Number(args["generation"]) === latch.generation ? latch.of - latch.parties.size : 0;
      if (latch.parties.size > latch.of) latch.parties.delete(id);
      if (Number(reply["left"]) !== Math.max(rest, 0))
        report("latch", `${op?.id} is told that ${reply["left"]} of ${full} are left, not ${rest}`);
    }
  }

  /** No fence accepts a token after a larger one, or a write twice. */
  function fenced(full: string, { args, status, reply, op }: Execution<Op>): void {
    const name = nameOf(full);
    const id = args["id"] ?? "";
    name.fence ??= { token: 0, value: "", seen: new Set() };
    const { fence } = name;
    const token = Number(args["token"]);
    if (
      status === "seen" &&
      (Number(reply["token"]) !== fence.token || String(reply["value"]).slice(1) !== fence.value)
    )
      report(
        "fence",
        `${full} has "${reply["value"]}" under ${reply["token"]}, not "${fence.value}" under ${fence.token}`,
      );
    if (status !== "written" || fence.seen.has(id)) return;
    fence.seen.add(id);
    if (token < fence.token) report("fence", `${op?.id} wrote ${full} under ${token} after ${fence.token}`);
    fence.token = token;
    if (args["value"]) fence.value = args["value"].slice(1);
  }

  function applied(full: string, execution: Execution<Op>): void {
    const { script, status, args, now, op } = execution;
    const name = nameOf(full);
    for (const hold of name.holds.values()) if (hold.until <= now) hold.wasOver = true;
    if (status === "granted" && args["kind"] === "counter") counted(full, execution);
    else if (status === "granted") granted(full, execution);
    else if (status === "committed") committed(full, execution);
    else if (script === "semaphore-set") counted(full, execution);
    else if (script.startsWith("latch") || args["kind"] === "latch") latched(full, execution);
    else if (script.startsWith("fence")) fenced(full, execution);
    else if (status === "extended") extended(full, execution);
    else if (status === "closed" && CLOSING.test(script)) closed(full, execution);
    else if (status === "lost" && script === "group-close") {
      // The names that are not told were released.
      const told = String(execution.reply["names"]).split(" ").map(Number);
      if (!told.includes(execution.keys.indexOf(full.slice(full.indexOf("/") + 1)) + 1)) closed(full, execution);
    } else if (status === "forced") forced(full, execution);
    else if (status === "held" && args["grace"]) queued(full, execution);
    else if (status === "completed") {
      const id = args["id"] ?? "";
      if (name.done && name.done.id !== id && name.done.until > now)
        report("once", `${full} is completed by ${op?.id} and was completed before`);
      name.done ??= { id, until: now + Number(args["ttl"]) * 1000 };
      over(name, id, "completed");
    }
  }

  function executed(execution: Execution<Op>): void {
    const { server, script, keys, args, status, now, op } = execution;
    const notAfter = args["notAfter"];
    if (notAfter !== undefined && status !== "late" && now > Number(notAfter))
      report("late", `${script} of ${op?.id} ran ${now - Number(notAfter)} µs too late`);
    // The key of a command that a fence calls is the caller's.
    const records = keys.filter(
      (key, index) => !key.endsWith("%crowd") && (index === 0 || !script.startsWith("fence")),
    );
    // Where memory is full, a release needs two more to be accepted.
    const most = mostCommands(script, keys.length) + (execution.isFull ? 2 * records.length : 0);
    if (execution.commands > most) report("costs", `${script} ran ${execution.commands} commands of ${most}`);
    for (const key of records) {
      const full = `${server}/${key}`;
      op?.asked.add(full);
      applied(full, execution);
    }
  }

  /** The numbers stand in the record: without the crowd it is not known any more who was counted. */
  function forgetMembers({ latch, counter }: Name): void {
    counter?.seen.clear();
    counter?.taken.clear();
    const parties = latch ? [...latch.parties] : [];
    latch?.parties.clear();
    for (const party of parties) latch?.parties.add(`${party}, forgotten`);
  }

  function lost(server: string, key?: string): void {
    for (const [full, name] of names) {
      if (serverOf(full) !== server || (key !== undefined && !full.endsWith(key.replace(/%crowd$/, "")))) continue;
      // Holders that are alone stand in the record, all others in the crowd.
      const kept = key?.endsWith("%crowd") ? [...name.holds].filter(([, { mode }]) => mode === "alone") : [];
      Object.assign(name, { holds: new Map(kept), over: new Map(), queue: new Map() });
      const { counter } = name;
      if (key?.endsWith("%crowd")) forgetMembers(name);
      else Object.assign(name, { done: undefined, latch: undefined, counter: undefined, fence: undefined });
      // The number stood in the record, and begins anew; whose requests were counted stands in the crowd.
      if (counter && key !== undefined)
        name.counter = { ...counter, count: key.endsWith("%crowd") ? counter.count : Number.NaN };
      name.lostAt = world.now();
    }
  }

  return {
    violations,
    excused,
    permits,
    report,
    executed,
    sent({ op, fate, commands }) {
      if (!op) return;
      // A script that the server does not know is sent once more with its text.
      if (commands[0]?.[0] !== "EVAL") op.requests++;
      op.copied ||= fate === "copied";
    },
    believe(belief) {
      if (majority > 1) checkMajority(belief);
      beliefs.add(belief);
      for (const full of belief.names) {
        const name = nameOf(full);
        for (const hold of name.holds.values())
          if (hold.op !== belief.op && hold.token > belief.token && belief.holds()) checkBeliefs(full, hold);
      }
    },
    disbelieve(op) {
      for (const belief of beliefs) if (belief.op === op) beliefs.delete(belief);
    },
    ended(op) {
      if (op.outcome === "lease" || op.outcome === "outcome_unknown" || op.outcome === "aborted") return;
      if (majority > 1 || op.isComposite) return;
      for (const full of op.asked) {
        for (const { op: by } of nameOf(full).counter?.taken.values() ?? [])
          if (by === op && op.outcome !== "true" && op.outcome !== "undefined")
            report(
              "nothing is left",
              `${op.id} ended with ${op.outcome} and took permits of ${full}`,
              excuseOf(full, op),
            );
        for (const hold of nameOf(full).holds.values())
          if (hold.op === op && hold.until > clockOf(serverOf(full)))
            report("nothing is left", `${op.id} ended with ${op.outcome} and holds ${full}`, excuseOf(full, op));
      }
    },
    lost,
    keep(server) {
      const kept = [...names]
        .filter(([full]) => serverOf(full) === server)
        .map(([full, { lastToken, lostAt, forcedAt, ...rest }]) => [full, copyOf(rest)] as const);
      return () => {
        lost(server);
        for (const [full, state] of kept) Object.assign(nameOf(full), state);
      };
    },
    stepped(server, ms) {
      const known = stepsOf(server);
      steps.set(server, ms > 0 ? { ...known, forwardAt: world.now() } : { ...known, backAt: world.now() });
    },
  };
}
