import {
  type Acquirable,
  type AcquirableKind,
  type AcquireReply,
  type AcquireRequest,
  acquirable,
  type Joinable,
  PARTS,
  type Part,
} from "../engine/acquire.ts";
import { LOCK_OPTIONS, TRY_OPTIONS, toLabel, toOwner, withoutReplicas } from "../engine/acquire-options.ts";
import type { Lease } from "../engine/hold.ts";
import { placeOf } from "../engine/place.ts";
import { several } from "../engine/several-names.ts";
import { ticketOf } from "../engine/ticket.ts";
import { stopwatch } from "../redis/clock.ts";
import { type Connection, type ConnectionSource, connectionOf, type Grouped } from "../redis/connect.ts";
import type { Call, Place, Ran } from "../redis/run.ts";
import { groupAcquire } from "../redis/scripts/group-acquire.gen.ts";
import { checkOptions } from "../shared/checks.ts";
import { type LockOptions, type LockState, lock, lockOf } from "./lock.ts";

/**
 * The lease of locks that do not share a slot. It has no `token` of its own: the largest of several could overtake the next one of
 * another name. Give each resource the one of its name. In events its token is NaN.
 */
export interface MultiLease extends Omit<Lease, "token" | "ticket" | "toJSON"> {
  /** One ticket for each part, in the order of `name`; each is resumed over the connection of its part. */
  tickets(): readonly string[];
  toJSON(): { name: string; holds: number; expiresAt: number };
}

/** Several locks as one: all are held, or none. */
export interface MultiLock<L = Lease, State = LockState> extends Acquirable<L> {
  /** How each was when its server looked, by name; not at one moment. */
  inspect(): Promise<Readonly<Record<string, State>>>;
  /** Frees every one of them, whoever holds it. True when somebody held one. */
  forceRelease(): Promise<boolean>;
}

type Grant = Ran<Extract<AcquireReply, { status: "granted" }>>;

/** A part that was asked for, under an id of its own acquisition. */
interface Asked {
  readonly part: Part;
  /** The part's own options, as they are by default. */
  readonly own: unknown;
  id: string;
  readonly owner: string;
  readonly label: string;
  /** When, on the watch of the whole acquisition. */
  readonly startMs: number;
  /** Whether it may be held. */
  readonly doubt: { open: boolean };
  /** Whether it was refused, and may have a place in a queue. */
  refused?: boolean;
  before?: Ran<AcquireReply>;
  grant?: Grant;
}

const leftMs = ({ remaining = 0, since }: { readonly remaining?: number; readonly since: () => number }): number =>
  remaining / 1000 - since();

/** By code units: the same everywhere, whatever the locale. */
const orderOf = ({ place }: Part): string => `${place.keys[0]}\n${place.connection.server}`;
const slotOf = ({ place }: Part): string => `${place.keys[0]}`.split("}", 1)[0] as string;

/** Does it to all of these at once. Gives what counts for all: which were lost, or else the answer of the one that ends first. */
async function forAll<Reply extends { readonly status: string; readonly remaining?: number; readonly names?: string }>(
  list: readonly Asked[],
  call: Call,
  run: (each: Asked, call: Call) => Promise<Ran<Reply>>,
): Promise<Ran<Reply>> {
  const doubts = list.map(() => ({ open: false }));
  const settled = await Promise.allSettled(list.map((each, n) => run(each, { ...call, doubt: doubts[n] })));
  if (call.doubt) call.doubt.open ||= doubts.some(({ open }) => open);
  const answers = settled.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
  let names = "";
  let first = 0;
  for (const [n, answer] of answers.entries()) {
    if (answer.status === "lost") for (const own of answer.names?.match(/\d+/g) ?? [1]) names += `${first + +own} `;
    first += list[n]?.part.place.names.length ?? 0;
  }
  const [least] = answers.sort((a, b) => +(b.status === "lost") - +(a.status === "lost") || leftMs(a) - leftMs(b));
  return { ...(least as Ran<Reply>), names, replicas: Math.min(...answers.map(({ replicas }) => replicas)) };
}

/**
 * One acquisition of parts that do not share a slot: one after the other, always in the same order, so that nobody waits in a circle. A
 * poll goes on with the part that was in the way of the one before.
 */
function inTurn(place: Place, parts: readonly Part[]): AcquirableKind {
  let ours: string | undefined;
  let asked: Asked[] = [];
  let tickets: readonly string[];

  const extend = (list: readonly Asked[], ms: number, call: Call) =>
    forAll(list, call, async (each, own) => {
      const answer = await each.part.extend(each.id, each.grant?.token ?? 0, ms, own);
      if (answer.status === "extended") each.grant = { ...(each.grant as Grant), ...answer, status: "granted" };
      return answer;
    });

  async function ask(
    { id, leaseMs, waitedMs, owner, label, ...request }: AcquireRequest,
    call: Call,
  ): Promise<Ran<AcquireReply>> {
    if (id !== ours) asked = [];
    ours = id;
    const { doubt = { open: false }, tries, budgetMs = 0 } = call;
    const elapsed = stopwatch(place.connection.clock);
    const rest = (): Call => ({ ...call, budgetMs: budgetMs - elapsed() });
    try {
      for (;;) {
        const held = asked.flatMap(({ grant }) => grant ?? []);
        const n = held.length;
        const part = parts[n];
        // Those that waited for others must not end meanwhile, and all have their full time at the end.
        const due = asked.filter(({ grant }) => grant && grant.since() > leaseMs / (part ? 3 : 20));
        const kept = due.length > 0 && (await extend(due, leaseMs, { ...rest(), operation: "extend" }));
        const [last] = held.slice(-1);
        // One was lost, or there is no time for the others.
        if (kept && kept.status === "lost") return { ...kept, status: "closed" };
        if (last && part && (elapsed() >= budgetMs || (tries && tries.made >= tries.most)))
          return { ...last, status: "closed" };
        if (!part) break;

        const { defaults } = part;
        const hashed = owner || (await toOwner(defaults.owner));
        const own = part.own?.({});
        asked[n] ??= {
          part,
          own,
          id: id + (part.suffix?.({ owner: hashed, own }) ?? ""),
          owner: hashed,
          label: label || toLabel(defaults.label),
          startMs: waitedMs + elapsed(),
          doubt: { open: false },
        };
        const each = asked[n];
        const { before, startMs } = each;
        const asking = { ...request, ...each, before, leaseMs, waitedMs: Math.round(waitedMs + elapsed() - startMs) };
        const reply = await part.ask(asking, { ...rest(), doubt: each.doubt });
        each.before = reply;
        each.refused ||= reply.status === "held" && request.waitMs > 0;
        if (reply.status === "held" && n > 0)
          return { ...reply, back: Math.min(reply.back ?? 1 / 0, (leaseMs * 1000) / 3) };
        if (reply.status !== "granted") return reply;
        each.grant = reply;
        each.id = { id: each.id, ...reply }.id;
        each.doubt.open = true;
      }
    } finally {
      // Then everything that may be held is given back, unless all are.
      doubt.open = asked.some((each) => each.doubt.open);
    }
    const grants = asked.map(({ grant }) => grant as Grant).sort((a, b) => leftMs(a) - leftMs(b));
    tickets = await Promise.all(
      asked.map(({ part, ...each }) => ticketOf({ ...part, ...each, leaseMs, token: each.grant?.token ?? 0 })),
    );
    return { ...(grants[0] as Grant), token: Number.NaN };
  }

  return {
    place,
    ask,
    ...several(place, {
      extend: (_id, _token, ms, call) => extend(asked, ms, call),
      close: (_id, token, call) =>
        forAll(
          asked.filter(({ doubt, refused }) => doubt.open || refused),
          call,
          (each, own) => each.part.close(each.id, token === 0 ? 0 : (each.grant?.token ?? 0), own),
        ),
    }),
    adds() {
      const tokens = asked.flatMap(({ part, grant }) => part.place.names.map(() => grant?.token));
      return {
        token: undefined,
        tokens: Object.fromEntries(place.names.map((name, n) => [name, tokens[n]])),
        tickets: () => tickets,
        ticket() {
          throw new TypeError("one ticket cannot stand for several slots: hand over tickets()");
        },
      };
    },
  };
}

/** Of several slots: acquired in one order everywhere, which is that of their keys and then of their servers. */
function acrossSlots(connection: Connection, joined: readonly Joinable[], options: LockOptions): Acquirable {
  const parts = joined
    .flatMap((each) => {
      if (!each?.[PARTS]) throw new TypeError("a multi-lock is made of names and locks");
      return each[PARTS]();
    })
    .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : +(orderOf(a) > orderOf(b))));
  parts.reduce((a, b) => {
    const [one, other] = [a.place, b.place];
    const same = orderOf(a) === orderOf(b) && (one.connection.server || one.connection === other.connection);
    // Between two names of one part a third would be out of order.
    if (same || (slotOf(a) === slotOf(b) && one.names.length + other.names.length > 2))
      throw new TypeError(`"${one.name}" and "${other.name}" overlap: name them together, in one group`);
    return b;
  });
  const plain = parts.flatMap(({ place }) => place.names);
  // Where names are the same, where they are tells them apart.
  const names = parts
    .flatMap(({ place }) =>
      place.names.map((name, n) => [name, `${place.connection.server}/${place.keys[n]}`] as const),
    )
    .map(([name, full]) => (plain.indexOf(name) === plain.lastIndexOf(name) ? name : full));
  const name = names.join(", ");
  const kind = "multi";
  const emit: Place["emit"] = (event) => connection.emit({ kind, name, ...event });
  const anew = () => inTurn({ connection, kind, name, names, group: undefined, keys: [], emit }, parts);
  if (!parts.some(({ several }) => several)) return acquirable({ ...anew(), parts, anew }, options);
  checkOptions(options, withoutReplicas(LOCK_OPTIONS));
  return acquirable({ ...anew(), parts, anew, takes: withoutReplicas(TRY_OPTIONS), several: true }, options);
}

function createGrouped(): Grouped {
  const names = new Set<string>();
  return {
    names,
    check({ name, group }) {
      if (group === undefined && names.has(name)) throw new TypeError(`"${name}" is in use in a group: say which`);
    },
  };
}

/** Of one slot. Remembers what it acquired, the last thousand names: for whoever forgets the group and would be told that it is free. */
function inGroup(place: Place, options: LockOptions): Acquirable {
  const { state } = place.connection;
  state.grouped ??= createGrouped();
  const { names } = state.grouped;
  const emit: Place["emit"] = (event) => {
    if (names.size > 999) names.clear();
    if (event.type === "acquired") for (const name of place.names) names.add(name);
    place.emit(event);
  };
  return lockOf({ ...place, emit }, options, groupAcquire, several);
}

/**
 * Several locks as one: all are acquired, or none; one lease extends and releases them all.
 *
 * With a `group` the names share a slot: one request, all at once, under one token. Without it, and for locks that were made
 * elsewhere (of other kinds, groups or servers), they are acquired one after the other, each waiting with those before held, in one order
 * everywhere, so that nobody waits in a circle; when the wait ends, all are given back. `maxPolls` counts the requests for all of them. Of a
 * part's own options `owner` and `label` stand in for those that are not given here.
 *
 * From 1 to 64 names or locks; what is named twice is taken once. A name in a group is another lock than the same name without. Once it was
 * acquired, a {@link lock} that leaves the group out is a `TypeError` over the same connection; elsewhere it is told that it is free.
 *
 * @throws TypeError or RangeError for names, locks or options that cannot be, or of which one is in another.
 */
export function multiLock(
  connection: ConnectionSource,
  names: readonly string[],
  options: LockOptions & { readonly group: string },
): MultiLock;
export function multiLock(
  connection: ConnectionSource,
  parts: readonly (string | Joinable)[],
  options?: LockOptions,
): MultiLock<MultiLease, unknown>;
export function multiLock(
  source: ConnectionSource,
  given: readonly (string | Joinable)[],
  options: LockOptions = {},
): MultiLock<never, never> {
  const connection = connectionOf(source);
  checkOptions(options, LOCK_OPTIONS);
  // A text is iterable too.
  if (!Array.isArray(given as unknown)) throw new TypeError("a multi-lock takes a list of names and locks");
  const unique = [...new Set(given)];
  if (!(unique.length > 0 && unique.length < 65)) throw new RangeError("a multi-lock has from 1 to 64 parts");
  const { group } = options;
  const joined = unique.map((each) => (typeof each === "string" ? lock(connection, each, options) : each));
  const all =
    group === undefined
      ? acrossSlots(connection, joined, options)
      : inGroup(placeOf(connection, "lock", unique as string[], group), options);
  return {
    ...(all as Acquirable<never>),
    inspect: async () =>
      Object.fromEntries(
        await Promise.all(
          joined.map(async (each) => [
            each[PARTS]()
              .map(({ place }) => place.name)
              .join(", "),
            await each.inspect?.(),
          ]),
        ),
      ),
    forceRelease: async () => (await Promise.all(joined.map((each) => each.forceRelease?.()))).includes(true),
  };
}
