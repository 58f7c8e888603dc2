import {
  type AcquirableKind,
  type AcquireReply,
  type AcquireRequest,
  type Part,
  replicasOf,
} from "../engine/acquire.ts";
import { hashReentryKey } from "../engine/acquire-options.ts";
import { several } from "../engine/several-names.ts";
import { ticketOf } from "../engine/ticket.ts";
import type { Call, Ran } from "../redis/call.ts";
import { stopwatch } from "../redis/clock.ts";
import { createDoubt, type Doubt } from "../redis/doubt.ts";
import type { Target } from "../redis/target.ts";
import { toNote } from "../shared/note.ts";

type Grant = Ran<Extract<AcquireReply, { status: "granted" }>>;

/** A part that was asked for, under an id of its own. */
interface Asked {
  readonly part: Part;
  /** The part's own options, as they are by default. */
  readonly own: unknown;
  id: string;
  readonly reentryKey: string;
  readonly note: string;
  /** When it was first asked for, in ms since the whole acquisition began. */
  readonly startMs: number;
  /** Open while the part may be held. */
  readonly doubt: Doubt;
  /** Whether a wait for it was refused, so that it may have a place in a queue. */
  refused?: boolean;
  before?: Ran<AcquireReply>;
  grant?: Grant;
}

const leftMs = ({ remaining = 0, since }: { readonly remaining?: number; readonly since: () => number }): number =>
  remaining / 1000 - since();

/** Asks something of all parts at once. Gives the names that were lost, or the answer of the part that ends first. */
async function forAll<Reply extends { readonly status: string; readonly remaining?: number; readonly names?: string }>(
  list: readonly Asked[],
  call: Call,
  run: (each: Asked, call: Call) => Promise<Ran<Reply>>,
): Promise<Ran<Reply>> {
  const settled = await Promise.allSettled(list.map((each) => run(each, { ...call, doubt: doubtOf(call) })));
  const answers = settled.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
  let names = "";
  let first = 0;
  for (const [n, answer] of answers.entries()) {
    if (answer.status === "lost") for (const own of answer.names?.match(/\d+/g) ?? [1]) names += `${first + +own} `;
    first += list[n]?.part.target.names.length ?? 0;
  }
  const [least] = answers.sort((a, b) => +(b.status === "lost") - +(a.status === "lost") || leftMs(a) - leftMs(b));
  return { ...(least as Ran<Reply>), names, answers: [{}, { result: Math.min(...answers.map(replicasOf)) }] };
}

/** The doubt about a part of an operation. */
function doubtOf({ doubt: whole }: Call): Doubt {
  const doubt = createDoubt();
  whole?.covers(doubt);
  return doubt;
}

const extendAll = (list: readonly Asked[], ms: number, call: Call) =>
  forAll(list, call, async (each, own) => {
    const answer = await each.part.extend(each.id, each.grant?.token ?? 0, ms, own);
    if (answer.status === "extended") each.grant = { ...(each.grant as Grant), ...answer, status: "granted" };
    return answer;
  });

/** Asks for one part, `nowMs` after the whole acquisition began, and keeps account of the answer. */
async function askPart(each: Asked, request: AcquireRequest, nowMs: number, call: Call): Promise<Ran<AcquireReply>> {
  const { part, doubt, before, startMs } = each;
  const own = { ...request, ...each, before, waitedMs: Math.round(nowMs - startMs) };
  const reply = await part.ask(own, { ...call, doubt });
  each.before = reply;
  each.refused ||= reply.status === "held" && request.waitMs > 0;
  if (reply.status === "granted") {
    each.grant = reply;
    each.id = { id: each.id, ...reply }.id;
    doubt.mayHold();
  }
  return reply;
}

/**
 * One acquisition of parts that do not share a slot: one part after the other, in the same order on every client, so
 * that no circle of waiters forms. A poll goes on with the part that refused the one before.
 */
export function partSequence(target: Target, parts: readonly Part[]): AcquirableKind {
  let ours: string | undefined;
  let asked: Asked[] = [];
  let tickets: readonly (() => string)[];

  async function ask(request: AcquireRequest, call: Call): Promise<Ran<AcquireReply>> {
    const { id, leaseMs, waitedMs, reentryKey, note } = request;
    if (id !== ours) asked = [];
    ours = id;
    const { tries, budgetMs = 0 } = call;
    const elapsed = stopwatch(target.connection.clock);
    const rest = (): Call => ({ ...call, budgetMs: budgetMs - elapsed() });
    for (;;) {
      const held = asked.flatMap(({ grant }) => grant ?? []);
      const n = held.length;
      const part = parts[n];
      // Parts that are held must not end while others are waited for, and all get their full lease at the end.
      const due = asked.filter(({ grant }) => grant && grant.since() > leaseMs / (part ? 3 : 20));
      const kept = due[0] && (await extendAll(due, leaseMs, { ...rest(), operation: "extend" }));
      const last = held.at(-1);
      // A part was lost, or no time is left for the others.
      if (kept?.status === "lost") return { ...kept, status: "closed" };
      if (last && part && (elapsed() >= budgetMs || (tries && tries.made >= tries.most)))
        return { ...last, status: "closed" };
      if (!part) break;

      const { defaults } = part;
      const hashed = reentryKey || (await hashReentryKey(defaults.reentryKey ?? ""));
      const own = part.own?.({});
      // The label of the part, where the whole has none.
      const told = (note[0] === "@" || !note ? toNote(defaults.label, "label") : "") + note;
      asked[n] ??= {
        part,
        own,
        id: id + (part.suffix?.({ reentryKey: hashed, note: told, own }) ?? ""),
        reentryKey: hashed,
        note: told,
        startMs: waitedMs + elapsed(),
        // Unless all parts are held, every part that may be held is given back.
        doubt: doubtOf(call),
      };
      const reply = await askPart(asked[n], request, waitedMs + elapsed(), rest());
      if (reply.status === "held" && n > 0)
        return { ...reply, back: Math.min(reply.back ?? Number.POSITIVE_INFINITY, (leaseMs * 1000) / 3) };
      if (reply.status !== "granted") return reply;
    }
    const grants = asked.map(({ grant }) => grant as Grant).sort((a, b) => leftMs(a) - leftMs(b));
    tickets = await Promise.all(
      asked.map(({ part, ...each }) => ticketOf({ ...part, ...each, leaseMs, token: each.grant?.token ?? 0 })),
    );
    return { ...(grants[0] as Grant), token: Number.NaN };
  }

  return {
    target,
    ask,
    ...several(target, {
      extend: (_id, _token, ms, call) => extendAll(asked, ms, call),
      close: (_id, token, call) =>
        forAll(
          asked.filter(({ doubt, refused }) => doubt.isOpen() || refused),
          call,
          (each, own) => each.part.close(each.id, token === 0 ? 0 : (each.grant?.token ?? 0), own),
        ),
    }),
    adds() {
      const tokens = asked.flatMap(({ part, grant }) => part.target.names.map(() => grant?.token));
      return {
        token: undefined,
        tokens: Object.fromEntries(target.names.map((name, n) => [name, tokens[n]])),
        tickets: () => tickets.map((ticket) => ticket()),
        ticket() {
          throw new TypeError("one ticket cannot stand for several slots: hand over tickets()");
        },
      };
    },
  };
}
