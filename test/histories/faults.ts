/** Faults of a lock server, planted in good histories. Each makes a history that no correct server can produce. */
import type { Action, Operation } from "../../verification/histories/history.ts";

export interface Fault {
  /** What the server did wrong. */
  readonly name: string;
  /** In which workload it shows. */
  readonly workload: string;
  /** The history with the fault, or undefined where there is no place for it. */
  plant(history: readonly Operation[]): readonly Operation[] | undefined;
}

/** Ids that no generated operation has. */
const PLANTED = 100_000;

const isDone = (operation: Operation, action: Action): boolean =>
  operation.action === action && operation.status === "ok";

/** A hold that was certainly live for a while: from its grant to its release, or to the end of its lease. */
interface Span {
  readonly grant: Operation;
  readonly from: number;
  readonly to: number;
}

function spansOf(history: readonly Operation[], action: "acquire" | "begin" = "acquire"): Span[] {
  const grants = history.filter((operation) => isDone(operation, action));
  return grants.flatMap((grant) => {
    const ends = history.filter(({ hold, action: what }) => hold === grant.id && what !== action && what !== "write");
    const to = Math.min(grant.call + grant.lease * 0.99 - 1, ...ends.map(({ call }) => call));
    return to - grant.ret > 1 ? [{ grant, from: grant.ret, to }] : [];
  });
}

/** An operation in the first third of a time. */
function during(from: number, to: number, like: Operation, given: Partial<Operation>): Operation {
  const third = (to - from) / 3;
  const changed = {
    ...like,
    id: PLANTED,
    hold: PLANTED,
    client: "planted",
    reentryKey: "planted",
    status: "ok",
  } as const;
  return { ...changed, call: from + third * 0.5, ret: from + third, ...given };
}

/** A grant of a short lease while another hold is live, with a token right above the other's. */
const grantDuring = (select: (span: Span) => boolean, given: Partial<Operation>) => (history: readonly Operation[]) => {
  const span = spansOf(history).find(select);
  if (!span) return undefined;
  return [...history, during(span.from, span.to, span.grant, { token: span.grant.token + 1, lease: 1, ...given })];
};

/** Two grants of which the second was certainly later than the first, and has a token of its own. */
function laterTenures(history: readonly Operation[]): readonly [Operation, Operation] | undefined {
  const grants = history.filter((operation) => isDone(operation, "acquire"));
  for (const first of grants)
    for (const second of grants) if (second.call > first.ret && second.token > first.token) return [first, second];
  return undefined;
}

/** The history with other tokens for some holds. */
const withTokens = (history: readonly Operation[], tokens: ReadonlyMap<number, number>): readonly Operation[] =>
  history.map((operation) =>
    operation.token > 0 ? { ...operation, token: tokens.get(operation.hold) ?? operation.token } : operation,
  );

const HOLDERS: readonly Fault[] = [
  { name: "two holders at once", workload: "mutex", plant: grantDuring(() => true, {}) },
  { name: "more permits than there are", workload: "semaphore", plant: grantDuring(() => true, { permits: 3 }) },
  {
    name: "a writer beside a reader",
    workload: "read-write",
    plant: grantDuring(({ grant }) => grant.side === "read", { side: "write" }),
  },
  {
    name: "an extension of a hold that has ended",
    workload: "mutex",
    plant(history) {
      const released = history.find((operation) => isDone(operation, "release"));
      if (!released) return undefined;
      const [from, to] = [released.ret + 0.1, released.ret + 0.4];
      return [...history, during(from, to, released, { action: "extend", hold: released.hold, lease: 1 })];
    },
  },
  {
    name: "a release that frees another's hold",
    workload: "mutex",
    plant(history) {
      const spans = spansOf(history);
      const released = history.find((operation) => isDone(operation, "release"));
      const span = spans.find(({ grant, from }) => released && grant.id !== released.hold && from > released.ret);
      if (!released || !span) return undefined;
      const [middle, { grant }] = [(span.from + span.to) / 2, span];
      const freed = during(span.from, middle, grant, { action: "release", hold: released.hold, token: released.token });
      const next = during(middle, span.to, grant, {
        id: PLANTED + 1,
        hold: PLANTED + 1,
        lease: 1,
        token: grant.token + 1,
      });
      return [...history, freed, next];
    },
  },
];

const TOKENS: readonly Fault[] = [
  {
    name: "a token that falls",
    workload: "fenced",
    plant(history) {
      const tenures = laterTenures(history);
      if (!tenures) return undefined;
      const [first, second] = tenures;
      return withTokens(history, new Map([[second.id, first.token - 1]]));
    },
  },
  {
    name: "a token that another holder had before",
    workload: "mutex",
    plant(history) {
      const tenures = laterTenures(history);
      return tenures && withTokens(history, new Map([[tenures[1].id, tenures[0].token]]));
    },
  },
  {
    name: "a fence that accepts an older token",
    workload: "fenced",
    plant(history) {
      const newer = history.find((operation) => isDone(operation, "write") && operation.token > 10);
      if (!newer) return undefined;
      return [...history, during(newer.ret, newer.ret + 1, newer, { token: newer.token - 1 })];
    },
  },
];

const ONCES: readonly Fault[] = [
  {
    name: "a result that changes",
    workload: "once",
    plant(history) {
      const result = history.find((operation) => isDone(operation, "result"));
      return result && [...history, during(result.ret, result.ret + 1, result, { action: "result", value: "other" })];
    },
  },
  {
    name: "two attempts at once",
    workload: "once",
    plant(history) {
      const [span] = spansOf(history, "begin");
      if (!span) return undefined;
      const { token, attempt } = span.grant;
      const second = { token: token + 1, attempt: attempt + 1, lease: 1 };
      return [...history, during(span.from, span.to, span.grant, second)];
    },
  },
];

/** The history with another token for an attempt and for all that is done about it. */
const withToken = (history: readonly Operation[], { id }: Operation, token: number): readonly Operation[] =>
  withTokens(history, new Map([[id, token]]));

/** The starts of attempts in the order of their tokens. */
const startsOf = (history: readonly Operation[]): readonly Operation[] =>
  history.filter((operation) => isDone(operation, "begin")).sort((a, b) => a.token - b.token || a.call - b.call);

const CRONS: readonly Fault[] = [
  {
    name: "two slots of one job at once",
    workload: "cron",
    plant(history) {
      for (const { grant, from, to } of spansOf(history, "begin")) {
        const slot = grant.slot === "first" ? "second" : "first";
        const others = history.filter((operation) => operation.slot === slot && operation.call < to);
        // Nothing but the running slot is in the way of the other one.
        if (others.some(({ action }) => action === "complete")) continue;
        const attempt = 1 + others.filter((operation) => isDone(operation, "begin")).length;
        const second = during(from, to, grant, { slot, token: grant.token + 1, attempt, lease: 1 });
        return [...history.filter(({ call }) => call < to), second];
      }
      return undefined;
    },
  },
  {
    name: "a slot that runs again after it has completed",
    workload: "cron",
    plant(history) {
      const done = history.find((operation) => isDone(operation, "complete"));
      const begun = history.find((operation) => done && isDone(operation, "begin") && operation.id === done.hold);
      if (!done || !begun) return undefined;
      const again = { token: begun.token + 1000, attempt: begun.attempt + 1 };
      return [...history.filter(({ call }) => call <= done.ret), during(done.ret, done.ret + 3, begun, again)];
    },
  },
  {
    name: "a token of a job that falls from slot to slot",
    workload: "cron",
    plant(history) {
      const [first, second] = startsOf(history);
      if (!first || !second || first.slot === second.slot || second.call < first.ret) return undefined;
      return withToken(history, second, first.token - 1);
    },
  },
  {
    name: "a run that is extended after it has failed",
    workload: "cron",
    plant(history) {
      const failed = history.find(({ action, status }) => action === "fail" && status === "ended");
      if (!failed) return undefined;
      return [
        ...history,
        during(failed.ret, failed.ret + 1, failed, { action: "extend", hold: failed.hold, lease: 1 }),
      ];
    },
  },
];

const issued = (history: readonly Operation[]): Operation | undefined =>
  history.find(({ action }) => action === "acquire");

const HAND_OVERS: readonly Fault[] = [
  {
    name: "two consumers of one message at once",
    workload: "hand-over",
    plant(history) {
      const [span] = spansOf(history, "begin");
      if (!span) return undefined;
      const { attempt } = span.grant;
      return [...history, during(span.from, span.to, span.grant, { attempt: attempt + 1, lease: 1 })];
    },
  },
  {
    name: "a token below that of the ticket",
    workload: "hand-over",
    plant(history) {
      const ticket = issued(history);
      const [first] = startsOf(history);
      return ticket && first && withToken(history, first, ticket.token - 1);
    },
  },
  {
    name: "a token that two attempts share, and that is not the ticket's",
    workload: "hand-over",
    plant(history) {
      const anew = startsOf(history).filter(({ token }) => token !== issued(history)?.token);
      const [first, second] = anew;
      return first && second && withToken(history, second, first.token);
    },
  },
  {
    name: "a ticket whose token is granted again after an attempt under it has ended",
    workload: "hand-over",
    plant(history) {
      const ticket = issued(history);
      const failed = history.find(({ status, token }) => status === "ended" && token === ticket?.token);
      const next = startsOf(history).find(({ call, token }) => failed && call > failed.ret && token > failed.token);
      return failed && next && withToken(history, next, failed.token);
    },
  },
  {
    name: "a ticket whose token is granted after the end of its lease",
    workload: "hand-over",
    plant(history) {
      const ticket = issued(history);
      if (!ticket || startsOf(history)[0]?.token !== ticket.token) return undefined;
      const long = 2 * ticket.lease;
      const earlier = { ...ticket, call: ticket.call - long, ret: ticket.ret - long };
      return history.map((operation) => (operation === ticket ? earlier : operation));
    },
  },
];

const REFUSALS: readonly Fault[] = [
  {
    name: "a refusal while the name was free",
    workload: "mutex",
    plant([first, ...rest]) {
      return first && [during(900, 920, first, { action: "acquire", status: "refused", token: 0 }), first, ...rest];
    },
  },
  {
    name: "an unknown acquisition that took effect before it was called",
    workload: "mutex",
    plant([first, ...rest]) {
      if (!first) return undefined;
      const asked = { action: "acquire", token: 0, lease: 60 } as const;
      const refused = during(900, 920, first, { ...asked, status: "refused" });
      const never = { id: PLANTED + 1, hold: PLANTED + 1, call: 920, ret: Infinity, status: "unknown" } as const;
      return [refused, during(0, 1, first, { ...asked, ...never }), first, ...rest];
    },
  },
];

export const FAULTS: readonly Fault[] = [...HOLDERS, ...TOKENS, ...ONCES, ...CRONS, ...HAND_OVERS, ...REFUSALS];
