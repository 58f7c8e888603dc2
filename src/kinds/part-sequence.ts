import {
  type AcquirableKind,
  type AcquireReply,
  type AcquireRequest,
  type Part,
  replicasOf,
} from "../lease/acquire.ts";
import { hashReentryKey } from "../lease/acquire-options.ts";
import type { Hold, Holding } from "../lease/hold.ts";
import { several } from "../lease/several-names.ts";
import { permitsOf, ticketOf } from "../lease/ticket.ts";
import { sharedRoutes } from "../redis/batch.ts";
import type { Call, Ran, Tries } from "../redis/call.ts";
import { stopwatch } from "../redis/clock.ts";
import { Doubt } from "../redis/doubt.ts";
import { callOf, type Target } from "../redis/target.ts";
import { toCount } from "../shared/checks.ts";
import { LeaseholdError, OutcomeUnknownError } from "../shared/errors.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";
import { toNote } from "../shared/note.ts";

type Grant = Ran<Extract<AcquireReply, { status: "granted" }>>;

/** A requested part, with its own ID. */
interface PartRequest {
  readonly part: Part;
  /** The part's own default options. */
  readonly own: unknown;
  id: string;
  readonly reentryKey: string;
  readonly note: string;
  /** When it was first requested, in ms since the whole acquisition began. */
  readonly startMs: number;
  /** Open while the part may be held. */
  readonly doubt: Doubt;
  /** Whether a wait for it was refused, so that it may have a place in a queue. */
  refused?: boolean;
  before?: Ran<AcquireReply>;
  grant?: Grant;
}

/** The number of permits of each part that is a semaphore, by its name. */
export type PermitsByName = Readonly<Record<string, number>>;

/** One acquisition: its parts so far. All are held; the last one may still be waiting. */
interface Acquisition {
  readonly id: string;
  readonly requests: readonly PartRequest[];
}

/** Something of a part may be left after these losses; as of `leaves` of its kind. */
const LEAVES = /^(gone|taken)$/;

/** Parts whose lease is older than this share of it are extended, while others are waited for or at the end. */
const [OLD_WHILE_WAITING, OLD_AT_THE_END] = [1 / 3, 1 / 20];

/** A reply to a request about a part. */
interface PartReply {
  readonly status: string;
  /** In µs. */
  readonly remaining?: number;
  /** The numbers of the lost names, if the part has several. */
  readonly names?: string;
}

const leftMs = ({ remaining = 0, since }: Pick<Ran<PartReply>, "remaining" | "since">): number =>
  remaining / 1000 - since();

const nameOf = (list: readonly PartRequest[]): string => list.map(({ part }) => part.target.name).join(", ");

/** The doubt about a part of an operation. */
function doubtOf({ doubt: whole }: Call): Doubt {
  const doubt = new Doubt();
  whole?.covers(doubt);
  return doubt;
}

/** The numbers of the lost names among the names of all parts, joined by spaces. */
function lostNames(list: readonly PartRequest[], answers: readonly PartReply[]): string {
  const lost: number[] = [];
  let first = 0;
  for (const [n, { part }] of list.entries()) {
    const answer = answers[n];
    const own = answer?.names?.match(/\d+/g) ?? ["1"];
    if (answer?.status === "lost") lost.push(...own.map((each) => first + Number(each)));
    first += part.target.names.length;
  }
  return lost.join(" ");
}

/**
 * Waits for an operation on all parts of `name`. If some of them were answered or may have run, and another was
 * refused, the operation was done in part, which the refusal does not say.
 *
 * @throws what a part threw; OutcomeUnknownError.
 */
export async function settleParts<T>(
  name: string,
  parts: readonly Promise<T>[],
  { settlesDoubt, operation }: Pick<Call, "settlesDoubt" | "operation">,
): Promise<T[]> {
  const settled = await Promise.allSettled(parts);
  const answers = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const failures: unknown[] = settled.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  const [failure] = failures;
  if (failures.length === 0) return answers;
  if (settlesDoubt || !(failure instanceof LeaseholdError)) throw failure;
  const unknown = failures.find((each) => each instanceof OutcomeUnknownError);
  if (unknown || answers.length === 0) throw unknown ?? failure;
  throw new OutcomeUnknownError(name, `a part of it was done: ${failure.message}`, failure, operation);
}

/**
 * Sends one request to all parts: over HTTP, in one pipeline per server, which counts as one request. Returns the lost
 * names, and the answer of the part that was lost or ends first.
 */
async function forAll<Reply extends PartReply>(
  list: readonly PartRequest[],
  call: Call,
  run: (each: PartRequest, call: Call) => Promise<Ran<Reply>>,
): Promise<Ran<Reply>> {
  const { tries, routes = sharedRoutes() } = call;
  const shares = list.map((): Tries | undefined => tries && { made: tries.made, max: tries.max });
  const runs = list.map((each, n) => run(each, { ...call, routes, tries: shares[n], doubt: doubtOf(call) }));
  const answers = await settleParts(nameOf(list), runs, call).finally(() => {
    if (tries) tries.made = Math.max(tries.made, ...shares.map((share) => share?.made ?? 0));
  });
  const names = lostNames(list, answers);
  const isLost = ({ status }: PartReply): number => Number(status === "lost");
  const [min] = [...answers].sort((a, b) => isLost(b) - isLost(a) || leftMs(a) - leftMs(b));
  // In the form of the replies to a script and the `WAIT` after it; `replicasOf` reads the second one.
  const replicas = { result: Math.min(...answers.map(replicasOf)) };
  return { ...(min as Ran<Reply>), names, answers: [{}, replicas] };
}

const extendParts = (list: readonly PartRequest[], ms: number, call: Call) =>
  forAll(list, call, async (each, own) => {
    const answer = await each.part.extend(each.id, each.grant?.token ?? 0, ms, own);
    if (answer.status === "extended") each.grant = { ...(each.grant as Grant), ...answer, status: "granted" };
    return answer;
  });

/** Closes the parts that may be held or queued. A token of 0 cancels them. */
const closeParts = (list: readonly PartRequest[], token: number, call: Call) =>
  forAll(
    list.filter(({ doubt, refused }) => doubt.isOpen() || refused),
    call,
    (each, own) => each.part.close(each.id, token === 0 ? 0 : (each.grant?.token ?? 0), own),
  );

/**
 * Prepares the request for a part, `startMs` after the whole acquisition began. The part's own defaults replace missing
 * options.
 */
async function openPart(
  part: Part,
  permits: number | undefined,
  request: AcquireRequest,
  startMs: number,
  call: Call,
): Promise<PartRequest> {
  const { defaults } = part;
  const reentryKey = request.reentryKey || (await hashReentryKey(defaults.reentryKey ?? ""));
  const hasLabel = request.note !== "" && !request.note.startsWith("@");
  const note = hasLabel ? request.note : toNote(defaults.label, "label") + request.note;
  const own = part.own?.({ permits });
  const suffix = part.suffix?.({ reentryKey, note, own }) ?? "";
  // Releases every part that may be held, unless all are held.
  return { part, own, id: request.id + suffix, reentryKey, note, startMs, doubt: doubtOf(call) };
}

/**
 * Requests one part, `nowMs` after the whole acquisition began, and records the answer. A part that is granted is no
 * poll.
 */
async function askPart(
  each: PartRequest,
  request: AcquireRequest,
  nowMs: number,
  call: Call,
): Promise<Ran<AcquireReply>> {
  const { part, id, reentryKey, note, own, before, doubt, startMs } = each;
  const waitedMs = Math.round(nowMs - startMs);
  // Waiters for several slots poll.
  const partRequest = { ...request, listensMs: 0, id, reentryKey, note, own, before, waitedMs };
  const { tries } = call;
  const reply = await part.ask(partRequest, { ...call, doubt });
  if (tries && reply.status === "granted") tries.made--;
  each.before = reply;
  each.refused ||= reply.status === "held" && request.waitMs > 0;
  if (reply.status === "granted") {
    each.grant = reply;
    each.id = reply.id ?? id;
    doubt.granted();
  }
  return reply;
}

/**
 * Extends the held parts with an old lease: none may end while others are waited for, and all have their full lease at
 * the end. Returns undefined if none was lost.
 */
async function renewParts(requests: readonly PartRequest[], leaseMs: number, isComplete: boolean, call: Call) {
  const oldMs = leaseMs * (isComplete ? OLD_AT_THE_END : OLD_WHILE_WAITING);
  const due = requests.filter(({ grant }) => grant && grant.since() > oldMs);
  if (due.length === 0) return undefined;
  const answer = await extendParts(due, leaseMs, { ...call, operation: "extend", tries: undefined });
  return answer.status === "lost" ? answer : undefined;
}

/** The reply for an ended ID: `contend` closes the parts, and begins again if time is left. */
const beginAnew = (reply: Ran<PartReply>): Ran<AcquireReply> => ({ ...reply, status: "closed" }) as Ran<AcquireReply>;

/** A part that was held before: its ticket, and what the ticket says. */
export interface HeldPart {
  readonly ticket: string;
  readonly id: string;
  readonly token: number;
}

/** The parts of a resumed lease, of which only the tickets are known. */
function resumedParts(parts: readonly Part[], held: readonly HeldPart[]): readonly PartRequest[] {
  // The ticket does not say under which key and for whom it was acquired.
  const [reentryKey, note] = ["", ""];
  return held.map(({ id, token }, n) => {
    const doubt = new Doubt();
    doubt.granted();
    const grant: Grant = { status: "granted", now: 0, token, remaining: 0, holds: 1, sentAt: 0, since: () => 0 };
    return { part: parts[n] as Part, own: permitsOf(id), id, reentryKey, note, startMs: 0, doubt, grant };
  });
}

/**
 * One acquisition of parts that do not share a slot, one by one and in the same order on every client, so clients do
 * not deadlock. A poll continues with the part that refused the previous poll. `labels` are the names of the parts. If
 * the parts are `held` already, it only extends, spends and closes them.
 */
export function partSequence(
  target: Target,
  parts: readonly Part[],
  labels: readonly string[],
  held: readonly HeldPart[] = [],
): AcquirableKind<PermitsByName | undefined> {
  let current: Acquisition = { id: held[0]?.id ?? "", requests: resumedParts(parts, held) };
  let tickets: readonly (() => string)[] = held.map(
    ({ ticket }) =>
      () =>
        ticket,
  );

  /** Requests the missing parts until one is refused, the time is up, or all are held. */
  async function ask(request: AcquireRequest<PermitsByName | undefined>, call: Call): Promise<Ran<AcquireReply>> {
    const { leaseMs, waitedMs } = request;
    if (request.id !== current.id) current = { id: request.id, requests: [] };
    // A minimum is for the poll as a whole: one for each of its requests would add up.
    const { budgetMs = 0, leastMs = 0, ...common } = call;
    const pollMs = Math.max(budgetMs, leastMs);
    const elapsed = stopwatch(target.connection.clock);
    const rest = (): Call => ({ ...common, budgetMs: pollMs - elapsed() });
    for (;;) {
      const held = current.requests.flatMap(({ grant }) => grant ?? []);
      const part = parts[held.length];
      const lost = await renewParts(current.requests, leaseMs, part === undefined, rest());
      if (lost) return beginAnew(lost);
      if (!part) return complete(leaseMs);
      // No time is left for the other parts.
      const last = held.at(-1);
      if (last && elapsed() >= pollMs) return beginAnew(last);

      const permits = request.own?.[labels[held.length] as string];
      const partRequest =
        current.requests[held.length] ?? (await openPart(part, permits, request, waitedMs + elapsed(), call));
      current = { id: request.id, requests: [...current.requests.slice(0, held.length), partRequest] };
      // The held parts must be extended meanwhile.
      const bounded = last ? { maxParkMs: leaseMs / 3 } : {};
      const reply = await askPart(partRequest, request, waitedMs + elapsed(), { ...rest(), ...bounded });
      const backUs = (leaseMs * 1000) / 3;
      if (reply.status === "held" && last) return { ...reply, back: Math.min(reply.back ?? backUs, backUs) };
      if (reply.status !== "granted") return reply;
    }
  }

  /** The grant of the multi-lock, once all parts are held: the grant of the part that ends first. */
  async function complete(leaseMs: number): Promise<Ran<AcquireReply>> {
    const { requests } = current;
    tickets = await Promise.all(
      requests.map(({ part, id, grant }) =>
        ticketOf({ target: part.target, mode: part.mode, id, token: grant?.token ?? 0, leaseMs }),
      ),
    );
    const [first] = requests.map(({ grant }) => grant as Grant).sort((a, b) => leftMs(a) - leftMs(b));
    return { ...(first as Grant), id: current.id, token: Number.NaN };
  }

  return {
    target,
    ask,
    async look(call) {
      const blocked = current.requests.find(({ before }) => before?.status === "held")?.part;
      return blocked ? { ...(await blocked.look?.(call)), part: callOf(blocked.target) } : {};
    },
    leaves: parts.some((part) => part.leaves) ? LEAVES : undefined,
    ...several(target, {
      extend: (_id, _token, ms, call) => extendParts(current.requests, ms, call),
      close: (_id, token, call) => closeParts(current.requests, token, call),
    }),
    adds: (hold, holding) => ({
      ...addsOf(target, current, () => tickets.map((ticket) => ticket())),
      ...(parts.every(({ spending }) => spending) && { spend: spendingOf(hold, holding, current, labels) }),
    }),
  };
}

/** The members of a lease of several slots. */
function addsOf({ names }: Target, { requests }: Acquisition, tickets: () => readonly string[]): object {
  const tokens = requests.flatMap(({ part, grant }) => part.target.names.map(() => grant?.token));
  return {
    token: undefined,
    tokens: Object.fromEntries(names.map((name, n) => [name, tokens[n]])),
    tickets,
    ticket() {
      throw new TypeError("one ticket cannot cover several slots: use tickets()");
    },
  };
}

/** Whether the records of these parts are known to share a slot. */
function shareSlot([first, ...others]: readonly Part[]): boolean {
  const { connection } = (first as Part).target;
  return others.every(
    ({ target: { connection: other } }) =>
      other.state === connection.state &&
      other.prefix === connection.prefix &&
      isOneGroup(other.group, connection.group),
  );
}
const isOneGroup = (one: string | undefined, other: string | undefined): boolean => one !== undefined && one === other;

/** The `spend` of a lease of semaphores. */
function spendingOf({ target }: Hold, holding: Holding, { requests }: Acquisition, labels: readonly string[]) {
  return async (counts: PermitsByName): Promise<void> => {
    const spends = inCall("lease.spend", () => {
      const wanted = countsOf(
        labels,
        counts,
        0,
        requests.map(({ own }) => own as number),
      );
      if (!shareSlot(requests.map(({ part }) => part)))
        throw misuse(
          TypeError,
          "spend needs semaphores of one group: make each of a view, semaphore(group(connection, …), name)",
        );
      return requests.flatMap(({ part: { target, spending }, id, grant }, n) => {
        const count = wanted[n];
        if (!spending || !grant || count === undefined) return [];
        return { target, id, token: grant.token, count, stock: spending.stock, send: spending.send };
      });
    });
    const total = spends.reduce((sum, { count }) => sum + count, 0);
    const which = spends.map(({ count }) => count).join(" ");
    await holding.spend(which, total, async (call) => {
      const [first] = spends;
      return first ? first.send(target, spends, call) : { status: "spent" };
    });
  };
}

/**
 * Reads the numbers of permits by name: of every one of `labels`, and of no other. `max` has the largest of each.
 *
 * @throws TypeError or RangeError; the message does not name the call.
 */
export function countsOf(
  labels: readonly string[],
  value: unknown,
  min: number,
  max: readonly number[],
): readonly number[] {
  const must = `a number of permits for each of ${labels.map((label) => shown(label)).join(", ")}`;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw misuse(TypeError, `permits ${shown(value)} must be ${must}`);
  const counts = new Map<string, unknown>(Object.entries(value));
  const odd = [...counts.keys()].find((name) => !labels.includes(name));
  if (odd !== undefined) throw misuse(TypeError, `permits of ${shown(odd)}, which is no part of it: give ${must}`);
  return labels.map((label, n) => {
    const count = counts.get(label);
    if (count === undefined) throw misuse(TypeError, `permits of ${shown(label)} are missing: give ${must}`);
    return toCount(count as number, `permits of ${shown(label)}`, min, max[n]);
  });
}
