import { classOf, type Ending, type Held, type HoldRequest, leftForOthers, readReply } from "./entry.ts";
import { createTries, type Tries } from "./next-waiter.ts";
import { type Entry, insert, type Line, nothing, type RoomEvent, remove, type Surroundings } from "./room.ts";
import type { WaitableCall } from "./waitable.ts";
import { type AwaitedKey, type Census, createCensus, type Waiters } from "./waiters.ts";

/** The maximum number of held requests in all. */
const MOST = 1000;
/** A hold ends this long before its request is void, so that the answer can arrive. */
const ANSWER_MS = 50;
/** The maximum time of a hold: a minute serves every client, which then asks again. */
const MAX_HOLD_MS = 60_000;
/** The minimum time of a hold. */
const MIN_HOLD_MS = 20;
/** A waiter that returns within this time keeps its position. */
const COME_BACK_MS = 2000;
/** The first waiter of each class is tried at least this often, which limits the cost of a missed wake-up. */
const CHECK_MS = 1000;
/** The maximum number of keys whose waiters are tried in parallel when all of them are woken. */
const MAX_KEYS_AT_ONCE = 8;

export interface WaitingRoomOptions extends Pick<Surroundings, "now" | "after"> {
  /** The maximum number of held requests, in all and per owner. Default 1 000, and the same for each owner. */
  readonly max?: number | undefined;
  readonly mostOfOwner?: number | undefined;
  /** How often the first waiter is tried without a write, in ms. Default 1 s; `Infinity`: never. */
  readonly checkMs?: number | undefined;
  readonly onEvent?: ((event: RoomEvent) => void) | undefined;
}

/** Holds requests instead of refusing them. */
export interface WaitingRoom {
  /** The number of held requests. */
  readonly size: number;
  /** Whether the key has waiters. */
  isWatched(key: string): boolean;
  /** The waiters of a key, in order. */
  waiters(key: string): Waiters;
  /** The keys with waiters, those with the most waiters first. */
  awaited(): readonly AwaitedKey[];
  /**
   * Holds a refused request until its script returns another answer or the time is up, and then returns the last reply.
   * If it was offered a grant, that is its last refusal. Undefined if it is not held: the reply is not a refusal, there is no time or no room for it, or the room is closed.
   *
   * It rejects with what the last run rejected with.
   */
  hold<Reply>(request: HoldRequest<Reply>): Promise<Held<Reply>> | undefined;
  /**
   * A request that is not held was answered. If that is a grant that leaves no room for others, their next try is at
   * the end of its lease. Returns whether it is.
   */
  answered(call: WaitableCall, reply: unknown): boolean;
  /** The key may have been written: tries as many of its waiters as can succeed, in order. */
  wake(key: string): void;
  /** Each of these keys may have been written; by default any key. Only a few are tried in parallel. */
  wakeAll(keys?: readonly string[]): Promise<void>;
  /** Answers every request with its last refusal, and holds none from now on. */
  closeAll(): Promise<void>;
}

/** The order of arrival; a waiter that returns soon keeps its number. */
function createArrivals(now: () => number) {
  const before = new Map<string, { readonly order: number; readonly forgetAt: number }>();
  let arrivals = 0;
  return {
    numberOf(id: string): number {
      for (const [each, { forgetAt }] of before) {
        if (forgetAt > now()) break;
        before.delete(each);
      }
      const known = before.get(id);
      before.delete(id);
      return known?.order ?? ++arrivals;
    },
    remember(id: string, order: number): void {
      before.set(id, { order, forgetAt: now() + COME_BACK_MS });
    },
  };
}

/** The held requests, by owner and ID. */
function createAccounts(max: number, mostOfOwner: number) {
  const all = new Set<Entry>();
  const owned = new Map<string, number>();
  const byId = new Map<string, Entry>();
  return {
    all,
    find: (id: string): Entry | undefined => byId.get(id),
    isFull: (owner = ""): boolean => all.size >= max || (owned.get(owner) ?? 0) >= mostOfOwner,
    add(entry: Entry, id: string): void {
      const { owner = "" } = entry.request;
      all.add(entry);
      byId.set(id, entry);
      owned.set(owner, (owned.get(owner) ?? 0) + 1);
    },
    remove(entry: Entry, id: string): void {
      const { owner = "" } = entry.request;
      const rest = (owned.get(owner) ?? 1) - 1;
      all.delete(entry);
      if (byId.get(id) === entry) byId.delete(id);
      if (rest > 0) owned.set(owner, rest);
      else owned.delete(owner);
    },
  };
}

/** How long a request may be held from now on, in ms. */
function timeFor({ waitable, args, reply, waitMs }: HoldRequest<unknown>): number {
  const read = readReply(reply);
  if (read?.status !== waitable.refusal) return 0;
  const validMs = (Number(args[waitable.notAfter]) - read.at(1)) / 1000 - ANSWER_MS;
  return Math.min(waitMs, validMs, MAX_HOLD_MS);
}

const idOf = ({ waitable, args, keys }: HoldRequest<unknown>): string => `${keys[0]} ${args[waitable.id]}`;

/** The lines with waiters, by key. */
function createLines(now: () => number, emit: Surroundings["emit"]) {
  const lines = new Map<string, Line>();
  return {
    all: lines,
    open(key: string): Line {
      const known = lines.get(key);
      if (known) return known;
      const line: Line = {
        key,
        entries: [],
        due: new Map(),
        retryAt: Number.POSITIVE_INFINITY,
        isDirty: false,
        trying: undefined,
        inVain: 0,
        tried: new Set(),
        triedAt: now(),
        forget: nothing,
        close() {
          if (lines.get(key) !== line) return;
          lines.delete(key);
          emit({ type: "unwatch", key });
        },
      };
      lines.set(key, line);
      emit({ type: "watch", key });
      return line;
    },
  };
}

/** The state of a room. */
interface Interior extends Surroundings {
  readonly lines: ReturnType<typeof createLines>;
  readonly arrivals: ReturnType<typeof createArrivals>;
  readonly accounts: ReturnType<typeof createAccounts>;
  readonly tries: Tries;
  readonly census: Census;
}

function leave({ now, emit, arrivals, accounts, tries, census }: Interior, entry: Entry, ending: Ending): void {
  const { request, since, order } = entry;
  const id = idOf(request);
  entry.isEnded = true;
  entry.forget();
  remove(entry);
  accounts.remove(entry, id);
  if (ending !== "answered") arrivals.remember(id, order);
  if (ending === "refused" || ending === "offered") census.refused(id, entry);
  emit({ type: "ended", script: request.waitable.name, ending, heldMs: now() - since });
  for (const line of entry.lines) tries.schedule(line);
}

/** Makes the entry of a request, which ends once. */
function entryOf<Reply>(
  room: Interior,
  request: HoldRequest<Reply>,
  timeMs: number,
  lines: readonly Line[],
  settle: { resolve(held: Held<Reply>): void; reject(error: unknown): void },
): Entry {
  const { signal, reply } = request;
  const since = room.now();
  const entry: Entry = {
    request,
    kind: classOf(request, readReply(reply)),
    lines,
    since,
    until: since + timeMs,
    order: room.arrivals.numberOf(idOf(request)),
    reply,
    heldMs: 0,
    running: undefined,
    isEnded: false,
    refreshAt: Number.POSITIVE_INFINITY,
    forget: nothing,
    end(ending, failure) {
      if (entry.isEnded) return;
      signal?.removeEventListener("abort", aborted);
      leave(room, entry, ending);
      if (failure) settle.reject(failure.error);
      else settle.resolve({ reply: entry.reply as Reply, ending, heldMs: entry.heldMs });
    },
  };
  const aborted = (): void => entry.end("aborted");
  signal?.addEventListener("abort", aborted);
  return entry;
}

function enter<Reply>(room: Interior, request: HoldRequest<Reply>, timeMs: number): Promise<Held<Reply>> {
  const { lines, accounts, tries, census, emit } = room;
  const { keys, waitable, owner } = request;
  const id = idOf(request);
  const older = accounts.find(id);
  const wasRunning = older?.running !== undefined;
  older?.end("replaced");
  census.back(id);
  return new Promise((resolve, reject) => {
    const joined = keys.map(lines.open);
    const entry = entryOf(room, request, timeMs, joined, { resolve, reject });
    accounts.add(entry, id);
    insert(entry);
    tries.begin(entry);
    emit({ type: "held", script: waitable.name, owner });
    for (const line of joined) {
      // This request gets the result of the older request's run.
      if (wasRunning) tries.wake(line);
      else tries.schedule(line);
    }
  });
}

/** Makes a room without waiters. */
export function createWaitingRoom(options: WaitingRoomOptions): WaitingRoom {
  const { now, after, max = MOST, mostOfOwner = max, checkMs = CHECK_MS, onEvent: emit = nothing } = options;
  let isClosed = false;
  const surroundings = { now, after, checkMs, emit };
  const lines = createLines(now, emit);
  const accounts = createAccounts(max, mostOfOwner);
  const tries = createTries(surroundings, () => isClosed);
  const census = createCensus(lines.all, now);
  const room: Interior = { ...surroundings, lines, accounts, tries, census, arrivals: createArrivals(now) };

  return {
    get size() {
      return accounts.all.size;
    },
    isWatched: (key) => lines.all.has(key),
    waiters: census.waiters,
    awaited: census.awaited,
    hold(request) {
      const timeMs = timeFor(request);
      if (isClosed || request.signal?.aborted || !(timeMs >= MIN_HOLD_MS)) return undefined;
      if (accounts.find(idOf(request)) === undefined && accounts.isFull(request.owner)) {
        emit({ type: "full", script: request.waitable.name, owner: request.owner });
        return undefined;
      }
      return enter(room, request, timeMs);
    },
    answered({ waitable, keys, args }, reply) {
      const read = readReply(reply);
      if (!read || leftForOthers(waitable, args, read.status).others) return false;
      tries.granted(
        keys.map((key) => lines.all.get(key)).filter((line) => line !== undefined),
        read,
      );
      return true;
    },
    wake(key) {
      const line = lines.all.get(key);
      if (line) tries.wake(line);
    },
    async wakeAll(keys = [...lines.all.keys()]) {
      const all = keys.map((key) => lines.all.get(key)).filter((line) => line !== undefined);
      while (all.length > 0) {
        const some = all.splice(0, MAX_KEYS_AT_ONCE);
        for (const line of some) tries.wake(line);
        await Promise.all(some.map(({ trying }) => trying));
      }
    },
    async closeAll() {
      isClosed = true;
      const running: Promise<unknown>[] = [];
      for (const entry of [...accounts.all]) {
        if (entry.running) running.push(entry.running);
        else entry.end("closed");
      }
      await Promise.allSettled(running);
    },
  };
}
