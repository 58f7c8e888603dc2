import type { Execution } from "../scripts.ts";
import { excuseForRepeat } from "./counts.ts";
import { type Facts, type Hold, type Name, type Op, permitsOf } from "./facts.ts";
import type { Sentence } from "./sentences.ts";

export interface Stocks {
  /** A number was set or changed. */
  changed(full: string, execution: Execution<Op>): void;
  /** An answer to a spend, for one of its names. */
  spent(full: string, execution: Execution<Op>): void;
  /** A semaphore refused permits. */
  refused(full: string, execution: Execution<Op>): void;
  /** A semaphore was read. */
  read(full: string, execution: Execution<Op>): void;
  /** Checks what a call was told, which was to spend `count` permits of the lease of `op.of`. */
  told(full: string, op: Op, count: number, error: unknown): void;
}

type Stock = NonNullable<Name["stock"]>;

/** The number of arguments for each name. */
const FIELDS = 5;

/** What a spend asks of a name, and its place among the names. */
function askedOf(
  full: string,
  { keys, args }: Execution<Op>,
): { id: string; token: number; count: number; place: number } {
  const place = keys.indexOf(full.slice(full.indexOf("/") + 1)) / 2;
  const [id = "", token, count] = (args["spends"] ?? "").split(" ").slice(place * FIELDS);
  return { id: id.slice(0, 36), token: Number(token), count: Number(count), place };
}

const stockOf = (name: Name): Stock => {
  name.stock ??= { number: Number.NaN, seen: new Map(), spent: new Map() };
  return name.stock;
};

/** The permits in use. */
const usedOf = (name: Name, now: number): number =>
  [...name.holds.values()].reduce((sum, { until, permits }) => sum + (until > now ? permits : 0), 0);

/** After a step back of the clock, permits that had expired count again; after a loss, the crowd may have others. */
const excuseFor = ({ wasSetBack, lossSince }: Facts, full: string): Sentence | undefined =>
  wasSetBack(full) ? "An expired permit can count again" : lossSince(full, 0);

function changed(facts: Facts, full: string, { args, status, op, now }: Execution<Op>): void {
  const { nameOf, latestOf, retentionMs, report } = facts;
  if (status !== "done") return;
  const stock = stockOf(nameOf(full));
  const id = args["id"] ?? "";
  const at = stock.seen.get(id);
  if (at !== undefined) {
    if (latestOf(full) <= at + retentionMs * 1000) return;
    stock.number = Number.NaN;
    report("stock", `${op?.id} may have changed ${full} twice`, excuseForRepeat(facts, full, op));
    return;
  }
  stock.seen.set(id, now);
  const count = Number(args["count"]);
  // Without a number on the server, an addition begins at none.
  if (args["change"] === "add") stock.number = (stock.isForgotten ? 0 : stock.number) + count;
  else stock.number = count;
  stock.isForgotten = false;
}

/** Whether a spend was answered as its hold was. */
function spent(facts: Facts, full: string, execution: Execution<Op>): void {
  const { nameOf, report } = facts;
  const { status, reply, op, now } = execution;
  const name = nameOf(full);
  const { id, token, count, place } = askedOf(full, execution);
  const stock = stockOf(name);
  const before = stock.spent.get(id);
  const hold = name.holds.get(id);
  const isHeld = hold !== undefined && hold.until > now && hold.token === token && hold.permits >= count;
  if (status === "lost") {
    const isNamed = String(reply["names"])
      .split(" ")
      .includes(`${place + 1}`);
    if (isNamed && before === undefined && isHeld && !hold.wasOver)
      report("stock", `${op?.id} is told that it has lost ${full}, and holds it`, excuseFor(facts, full));
    return;
  }
  if (status !== "spent") return;
  if (before !== undefined) {
    if (before.count !== count)
      report("stock", `${op?.id} is told that ${count} of ${full} were spent, and ${before.count} were`);
    return;
  }
  if (!isHeld) {
    const wasLost = name.lostAt >= 0 && !name.over.has(id);
    report(
      "stock",
      `${op?.id} spends ${count} of ${full}, which ${name.over.get(id) ?? "it does not hold"}`,
      wasLost ? "A lease can end early" : excuseFor(facts, full),
    );
  }
  stock.number -= count;
  stock.spent.set(id, { by: op, count });
  if (stock.number < 0) report("stock", `${full} is oversold: ${stock.number}`, excuseFor(facts, full));
  name.holds.delete(id);
  name.remains.delete(id);
  name.over.set(id, "spent");
}

function refused(facts: Facts, full: string, { args, status, op, now }: Execution<Op>): void {
  const name = facts.nameOf(full);
  const { stock } = name;
  if (!stock) return;
  const wanted = permitsOf(args["id"] ?? "");
  const isEnough = status === "short" ? stock.number >= wanted : stock.number - usedOf(name, now) >= wanted;
  if (isEnough)
    facts.report(
      "stock",
      `${op?.id} is refused ${wanted} of ${full}, which has ${stock.number} and lends ${usedOf(name, now)}`,
      excuseFor(facts, full),
    );
}

function read(facts: Facts, full: string, { reply, now }: Execution<Op>): void {
  const name = facts.nameOf(full);
  const stock = stockOf(name);
  const told = Number(String(reply["body"]).slice(1).split(" ")[0] || Number.NaN);
  if (Number.isNaN(stock.number)) stock.number = told;
  else if (told !== stock.number) facts.report("stock", `${full} has ${told}, not ${stock.number}`);
  const used = usedOf(name, now);
  const isAtItsEnd = ({ until }: Hold): boolean => until === now;
  if (Number(reply["many"]) !== used && ![...name.holds.values()].some(isAtItsEnd))
    facts.report("stock", `${full} lends ${reply["many"]}, not ${used}`, excuseFor(facts, full));
}

/** Whether a call was told what it did. */
function told({ nameOf, lossSince, report }: Facts, full: string, op: Op, count: number, error: unknown): void {
  const all = [...(nameOf(full).stock?.spent.values() ?? [])];
  const own = all.find(({ by }) => by === op);
  // The call may repeat what its lease was told before.
  const early = lossSince(full, op.of?.startedAt ?? op.startedAt);
  const { code, reason } = Object(error) as { code?: string; reason?: string };
  if (error === undefined) {
    const isSpent = all.some(({ by, count: other }) => other === count && (by === op || by?.of === op.of));
    if (!isSpent) report("stock", `${op.id} is told that it spent ${count} of ${full}`, early);
  } else if (own && code === "lease_lost")
    report("stock", `${op.id} is told that it lost ${full} (${reason}), and spent ${own.count}`, early);
}

/** The rules about permits that are spent: nothing is oversold, and nothing is lost. */
export const createStocks = (facts: Facts): Stocks => ({
  changed: (full, execution) => changed(facts, full, execution),
  spent: (full, execution) => spent(facts, full, execution),
  refused: (full, execution) => refused(facts, full, execution),
  read: (full, execution) => read(facts, full, execution),
  told: (full, op, count, error) => told(facts, full, op, count, error),
});
