import type { Execution } from "./server.ts";
import type { Sent } from "./network.ts";
import type { World } from "./world.ts";

/** The sentences of docs/guarantees.md, under "Not guaranteed", that excuse what a check finds. */
export type Sentence =
  | "A lease can end early"
  | "The first request of a client"
  | "A token can fall"
  | "A try that does not wait is not remembered when it is refused"
  | "forced by an operator";

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
}

export interface Belief {
  readonly op: Op;
  readonly token: number;
  readonly tokens?: Readonly<Record<string, number>>;
  /** What the holder is entitled to rely on now. */
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
}

interface Waiter {
  readonly place: number;
  /** In µs by the server's clock: later than that it is dead. */
  readonly deadline: number;
}

/** Everything about a name, as the server's replies have told it. */
interface Name {
  holds: Map<string, Hold>;
  over: Map<string, string>;
  queue: Map<string, Waiter>;
  done: { readonly id: string; readonly until: number } | undefined;
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
  /** What is known about a server's names; the function that it gives brings that back, as after a loss. */
  keep(server: string): () => void;
  stepped(server: string, ms: number): void;
  /** How many permits a semaphore has. */
  readonly permits: Map<string, number>;
}

const CLOSING = /-close$/;
const LATE_MS = 50;

/** Whether a script's grant is one among several. */
function modeOf(script: string, mode: string | undefined): Hold["mode"] {
  if (script.startsWith("semaphore")) return "permits";
  return mode === "read" ? "shared" : "alone";
}

/** `clockOf` tells a server's clock in µs. */
export function createHistory(
  world: World,
  requestTimeoutMs: number,
  clockOf: (server: string) => number,
): History {
  const violations: Violation[] = [];
  const excused = new Map<Sentence, number>();
  const names = new Map<string, Name>();
  const beliefs = new Set<Belief>();
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

  /** Nobody may rely on a lease while somebody else has a later tenure. */
  function checkBeliefs(full: string, hold: Hold): void {
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

  function checkPermits(full: string, alive: readonly Hold[], hold: Hold): void {
    const limit = permits.get(full.replace(/^[^/]*\/[^{]*\{|\}.*$/g, "")) ?? 1 / 0;
    const used = alive.reduce((sum, each) => sum + each.permits, hold.permits);
    if (used > limit) report("permits", `${used} of ${limit} permits of ${full} are in use`);
    let believed = hold.permits;
    for (const belief of beliefs) {
      if (belief.op === hold.op || !belief.names.includes(full) || !belief.holds()) continue;
      believed += [...nameOf(full).holds.values()].find(({ op }) => op === belief.op)?.permits ?? 0;
    }
    if (believed > limit && used <= limit)
      report("belief", `${believed} of ${limit} permits of ${full} are relied on`, lossSince(full, 0));
  }

  function checkOrder(full: string, id: string, now: number): void {
    const { queue } = nameOf(full);
    const own = queue.get(id)?.place ?? 1 / 0;
    for (const [other, { place, deadline }] of queue)
      if (place < own && deadline > now)
        report("fair order", `${id} passes ${other} in the queue of ${full}`, lossSince(full, world.now() - 60_000));
    queue.delete(id);
  }

  /** Whether a request still works although its operation has ended for good. */
  function checkLate(full: string, op: Op | undefined, hold: Hold): void {
    if (!op || op.endedAt === undefined || op.outcome === "lease") return;
    const excuse = op.copied
      ? "A try that does not wait is not remembered when it is refused"
      : lossSince(full, op.startedAt);
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
        op?.copied ? "A try that does not wait is not remembered when it is refused" : undefined,
      );
    const hold: Hold = {
      id,
      op,
      token,
      until,
      owner: script.startsWith("rw") ? whole.slice(36) : (args["owner"] ?? ""),
      mode: modeOf(script, args["mode"]),
      permits: script.startsWith("semaphore") ? Number(whole.slice(37)) || 1 : 1,
      grantedAt: now,
    };
    const alive = [...name.holds.values()].filter((each) => each.until > now);
    for (const [other, each] of name.holds) if (each.until <= now) over(name, other, "expired");
    checkGrant(full, hold, alive);
    if (name.done && name.done.until > now * 1.0) report("once", `${full} is done and is begun again by ${op?.id}`);
    name.done = undefined;
    if (/^fair|queue$/.test(script) && !alive.some(({ owner }) => owner !== "" && owner === hold.owner))
      checkOrder(full, id, now);
    name.holds.set(id, hold);
    name.lastToken = Math.max(name.lastToken, token);
    checkLate(full, op, hold);
    checkBeliefs(full, hold);
  }

  function checkGrant(full: string, hold: Hold, alive: readonly Hold[]): void {
    const name = nameOf(full);
    if (hold.mode === "permits") checkPermits(full, alive, hold);
    else
      for (const other of alive) {
        if (hold.mode === "shared" && other.mode === "shared") continue;
        if (hold.owner !== "" && hold.owner === other.owner) continue;
        report("one holder", `${hold.op?.id} is granted ${full} while ${other.op?.id} holds it`);
      }
    const isNew = alive.length === 0 || hold.mode === "permits";
    if (isNew && hold.token <= name.lastToken) {
      const fell = name.lostAt >= 0 && stepsOf(serverOf(full)).backAt >= 0;
      report("tokens", `${full} has ${hold.token} after ${name.lastToken}`, fell ? "A token can fall" : undefined);
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
    if (!known || known.until <= now) {
      report("over is over", `${op?.id} extends ${full}, which ${name.over.get(id) ?? "never was its own"}`);
      return;
    }
    if (until < known.until) report("never shorter", `${op?.id} shortened its lease of ${full}`);
    known.until = Math.max(known.until, until);
  }

  function closed(full: string, { args, now }: Execution<Op>): void {
    const name = nameOf(full);
    const [whole = "", request, which = ""] = (args["id"] ?? "").split(/,(?=[^,]*-)|(?<=-[^,]*),/, 3);
    const id = whole.slice(0, 36);
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
    if (place > 0)
      queue.set(id, { place, deadline: now + Number(reply["back"]) + Number(args["grace"]) * 1000 });
    else if (Number(args["ticket"]) >= 0) queue.delete(id);
  }

  function applied(full: string, execution: Execution<Op>): void {
    const { script, status, args, now, op } = execution;
    const name = nameOf(full);
    if (status === "granted") granted(full, execution);
    else if (status === "extended") extended(full, execution);
    else if (status === "closed" && CLOSING.test(script)) closed(full, execution);
    else if (status === "forced") forced(full, execution);
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
    const records = keys.filter((key) => !/%(crowd|fence)$/.test(key));
    for (const key of records) {
      const full = `${server}/${key}`;
      op?.asked.add(full);
      applied(full, execution);
    }
  }

  function lost(server: string, key?: string): void {
    for (const [full, name] of names) {
      if (serverOf(full) !== server || (key !== undefined && !full.endsWith(key.replace(/%crowd$/, "")))) continue;
      Object.assign(name, { holds: new Map(), over: new Map(), queue: new Map(), done: undefined });
      name.lostAt = world.now();
    }
  }

  return {
    violations,
    excused,
    permits,
    report,
    executed,
    sent({ op, fate }) {
      if (!op) return;
      op.requests++;
      op.copied ||= fate === "copied";
    },
    believe(belief) {
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
      for (const full of op.asked)
        for (const hold of nameOf(full).holds.values())
          if (hold.op === op && hold.until > clockOf(serverOf(full)))
            report(
              "nothing is left",
              `${op.id} ended with ${op.outcome} and holds ${full}`,
              op.copied ? "A try that does not wait is not remembered when it is refused" : lossSince(full, op.startedAt),
            );
    },
    lost,
    keep(server) {
      const kept = [...names]
        .filter(([full]) => serverOf(full) === server)
        .map(([full, { holds, over: ended, queue, done }]) => {
          const copies = [...holds].map(([id, hold]) => [id, { ...hold }] as const);
          return [full, { holds: copies, over: new Map(ended), queue: new Map(queue), done }] as const;
        });
      return () => {
        lost(server);
        for (const [full, { holds, over: ended, queue, done }] of kept)
          Object.assign(nameOf(full), { holds: new Map(holds.map(([id, hold]) => [id, { ...hold }])), over: ended, queue, done });
      };
    },
    stepped(server, ms) {
      const known = stepsOf(server);
      steps.set(server, ms > 0 ? { ...known, forwardAt: world.now() } : { ...known, backAt: world.now() });
    },
  };
}
