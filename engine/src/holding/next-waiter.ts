import {
  classOf,
  GRANTED,
  leaseOf,
  leftForOthers,
  nextArgs,
  nextTryOf,
  OFFERED,
  type Read,
  readReply,
  UNSENT,
} from "./entry.ts";
import { type Entry, insert, type Line, nothing, type Outcome, remove, type Surroundings } from "./room.ts";

/** The maximum number of classes whose first waiter is tried at a time; every re-entry key is a class. */
const MAX_CLASSES = 16;
/** The pause before the next classes are tried. */
const NEXT_CLASSES_MS = 10;
/** After so many tries in a row that answered nobody, the next one waits, however often the key is written. */
const MAX_IN_VAIN = 20;
const MIN_BETWEEN_MS = 5;
/** The longest timer: a longer one would ring at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** The maximum number of waiters tried in parallel after an answer that is the same for all. */
const MAX_AT_ONCE = 64;
/** The time from a failed try to the next waiter's try, since the name may be free. */
const AFTER_FAILURE_MS = 250;

/** Decides when and in which order held requests are run again. */
export interface Tries {
  /**
   * Begins to hold an entry, and sets its timer: for the end of its time, or for the run that keeps its place in a
   * queue.
   */
  begin(entry: Entry): void;
  /** Sets the timer of a line: the next time at which its waiters are tried without a write. */
  schedule(line: Line): void;
  /** Tries as many waiters of a line as can succeed; if that is already in progress, once more afterwards. */
  wake(line: Line): void;
  /** A request that was not held was granted, and leaves no room for others. */
  granted(lines: readonly Line[], read: Read): void;
}

/** Ends a request whose run has failed. The next waiter's try may succeed in a moment. */
function fail(entry: Entry, at: number, failure?: { readonly error: unknown }): Outcome {
  if (entry.isEnded) return { type: "gone" };
  for (const line of entry.lines) line.retryAt = at + AFTER_FAILURE_MS;
  entry.end("failed", failure);
  return { type: "failed" };
}

/** Puts off a request that could not be sent. */
function putOff(entry: Entry, at: number): Outcome {
  if (entry.isEnded) return { type: "gone" };
  const retryAt = at + AFTER_FAILURE_MS;
  for (const line of entry.lines) line.retryAt = retryAt;
  entry.refreshAt = Math.max(entry.refreshAt, retryAt);
  return { type: "unsent" };
}

/** Applies a grant that leaves no room for others: the holder has the name for that long, unless it releases. */
function learnGrant(lines: readonly Line[], read: Read, at: number): void {
  const endsAt = at + leaseOf(read);
  for (const { due, entries } of lines) for (const { kind } of entries) due.set(kind, endsAt);
}

/** Runs a held request once, and answers it unless it was refused. */
async function run(entry: Entry, { now, emit }: Surroundings): Promise<Outcome> {
  const { request, since, lines } = entry;
  const { waitable, args } = request;
  const heldMs = now() - since;
  let reply: unknown;
  try {
    reply = await request.run(nextArgs(request, readReply(entry.reply), heldMs), heldMs);
  } catch (error) {
    return fail(entry, now(), { error });
  }
  if (reply === UNSENT) return putOff(entry, now());
  const { isEnded } = entry;
  if (reply === OFFERED) {
    emit({ type: "tried", script: waitable.name, isRefused: false });
    // It keeps its last refusal, and leaves the others what a grant would leave them.
    entry.end("offered");
    return isEnded ? { type: "gone" } : { type: "answered", ...leftForOthers(waitable, args, GRANTED) };
  }
  if (!isEnded) Object.assign(entry, { reply, heldMs });
  const read = readReply(reply);
  const isRefused = read?.status === waitable.refusal;
  emit({ type: "tried", script: waitable.name, isRefused });
  if (!read) return fail(entry, now());
  if (isRefused) {
    if (isEnded) return { type: "gone" };
    learnRefusal(entry, reply, now());
    return { type: "refused" };
  }
  const left = leftForOthers(waitable, args, read.status);
  if (!left.others) learnGrant(lines, read, now());
  entry.end("answered");
  // A waiter that left but was granted blocks the others until its lease ends.
  const tookNothing = isEnded && read.status !== GRANTED;
  return tookNothing ? { type: "gone" } : { type: "answered", ...left };
}

/** What follows a class: another one is tried, or none, since the answer leaves no room or the try failed. */
type Onward = "next class" | "done";

/** Tries the waiters of one class in order, while they can succeed. */
async function tryClass(line: Line, kind: string, attempt: (entry: Entry) => Promise<Outcome>): Promise<Onward> {
  let size = 1;
  let onward: Onward = "next class";
  for (;;) {
    const batch = line.entries.filter((entry) => entry.kind === kind).slice(0, size);
    if (batch.length === 0) return onward;
    const outcomes = await Promise.all(batch.map(attempt));
    if (outcomes.some((outcome) => outcome.type === "answered" && !outcome.others)) onward = "done";
    if (outcomes.some(({ type }) => type === "failed" || type === "unsent")) return "done";
    if (outcomes.some((outcome) => outcome.type === "answered" && !outcome.same)) return onward;
    if (outcomes.some(({ type }) => type === "refused")) return onward;
    const isForAll = outcomes.every((outcome) => outcome.type === "answered" && outcome.atOnce);
    size = isForAll ? Math.min(2 * size, MAX_AT_ONCE) : 1;
  }
}

/**
 * Tries the first waiters of each class, ordered by the classes' first waiters: the first class, and then those that
 * were not tried since all classes had their turn.
 */
async function tryLine(line: Line, { now }: Surroundings, attempt: (entry: Entry) => Promise<Outcome>): Promise<void> {
  const { tried, entries } = line;
  line.due.clear();
  line.retryAt = Number.POSITIVE_INFINITY;
  const [first] = entries;
  if (first !== undefined) tried.delete(first.kind);
  for (let count = 0; count < MAX_CLASSES; count++) {
    const next = entries.find(({ kind }) => !tried.has(kind));
    if (next === undefined) break;
    tried.add(next.kind);
    if ((await tryClass(line, next.kind, attempt)) === "done") {
      tried.clear();
      return;
    }
  }
  if (entries.some(({ kind }) => !tried.has(kind))) line.retryAt = now() + NEXT_CLASSES_MS;
  else tried.clear();
}

/** Applies a refusal: sets the next run of the entry, and of the others of its class. */
function learnRefusal(entry: Entry, reply: unknown, at: number): void {
  const { request, lines } = entry;
  const { waitable, args } = request;
  const read = readReply(reply);
  if (!read) return;
  // The carried value may move it to another class.
  const kind = classOf({ ...request, args: nextArgs(request, read, 0) }, read);
  entry.kind = kind;
  const { dueMs, refreshMs } = nextTryOf(waitable, args, read);
  entry.refreshAt = refreshMs === undefined ? Number.POSITIVE_INFINITY : at + refreshMs;
  for (const { due } of lines) {
    if (dueMs === undefined) due.delete(kind);
    else due.set(kind, at + dueMs);
  }
  const place = read.at(waitable.ticket);
  if (place === 0 || place === entry.order) return;
  remove(entry);
  entry.order = place;
  insert(entry);
}

/** Sets the timer of a line; see {@link Tries}. */
function scheduleLine(line: Line, { now, after, checkMs }: Surroundings, wake: (line: Line) => void): void {
  line.forget();
  line.forget = nothing;
  if (line.entries.length === 0) {
    line.close();
    return;
  }
  if (line.trying) return;
  const at = Math.min(line.triedAt + checkMs, line.retryAt, ...line.due.values());
  if (at === Number.POSITIVE_INFINITY) return;
  line.forget = after(Math.min(Math.max(at - now(), 0), MAX_TIMER_MS), () => wake(line));
}

/** Sets the timer of an entry; see {@link Tries}. */
function scheduleEntry(entry: Entry, { now, after }: Surroundings, refresh: (entry: Entry) => void): void {
  entry.forget();
  entry.forget = after(Math.max(Math.min(entry.until, entry.refreshAt) - now(), 0), () => {
    if (entry.running) return;
    if (now() >= entry.until) entry.end("refused");
    else refresh(entry);
  });
}

/** Makes the tries of a room. `isClosed` says whether a request that is refused again must leave. */
export function createTries(around: Surroundings, isClosed: () => boolean): Tries {
  const { now, after } = around;

  /** Runs a held request again, or joins the run in progress. */
  function attempt(entry: Entry): Promise<Outcome> {
    entry.running ??= run(entry, around).finally(() => {
      entry.running = undefined;
      if (entry.isEnded) return;
      if (isClosed()) entry.end("closed");
      else if (now() >= entry.until) entry.end("refused");
      else scheduleEntry(entry, around, refresh);
    });
    return entry.running;
  }

  /** Runs a held request after now, since a run in progress may have begun before the wake-up. */
  async function attemptAnew(entry: Entry): Promise<Outcome> {
    const outcome = await entry.running;
    if (outcome !== undefined && outcome.type !== "refused" && outcome.type !== "unsent") return outcome;
    return entry.isEnded ? { type: "gone" } : attempt(entry);
  }

  async function work(line: Line): Promise<void> {
    while (line.isDirty) {
      const restMs = line.inVain > MAX_IN_VAIN ? line.triedAt + MIN_BETWEEN_MS - now() : 0;
      if (restMs > 0) await new Promise<void>((resolve) => after(restMs, resolve));
      line.isDirty = false;
      line.triedAt = now();
      const before = line.entries.length;
      await tryLine(line, around, attemptAnew);
      line.inVain = line.entries.length < before ? 0 : line.inVain + 1;
    }
  }

  function wake(line: Line): void {
    line.isDirty = true;
    line.forget();
    line.forget = nothing;
    line.trying ??= work(line).finally(() => {
      line.trying = undefined;
      scheduleLine(line, around, wake);
    });
  }

  async function refresh(entry: Entry): Promise<void> {
    for (const line of entry.lines) if (line.entries[0] === entry) line.triedAt = now();
    const outcome = await attempt(entry);
    for (const line of entry.lines) {
      if (outcome.type === "answered" && outcome.others) wake(line);
      else scheduleLine(line, around, wake);
    }
  }

  return {
    wake,
    schedule: (line) => scheduleLine(line, around, wake),
    granted(lines, read) {
      learnGrant(lines, read, now());
      for (const line of lines) scheduleLine(line, around, wake);
    },
    begin(entry) {
      learnRefusal(entry, entry.reply, now());
      scheduleEntry(entry, around, refresh);
    },
  };
}
