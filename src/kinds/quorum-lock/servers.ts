import type { Call, Ran } from "../../redis/call.ts";
import { stopwatch } from "../../redis/clock.ts";
import { Doubt } from "../../redis/doubt.ts";
import type { AnyReply } from "../../redis/script.ts";
import type { Target } from "../../redis/target.ts";
import { isNoAnswer, LeaseholdError } from "../../shared/errors.ts";
import { alarm } from "../../shared/timers.ts";

/** One server's record of the lock, and how long one step waits for the server. */
export interface Server extends Target {
  readonly limitMs: number;
}

/** All servers of one lock. The settings of the first one's connection apply to the lock. */
export type Servers = readonly [Server, ...Server[]];

/** The outcome of one step on one server: a reply, an error, or neither when the server did not answer in time. */
export interface ServerAnswer<Reply> {
  readonly server: Server;
  readonly doubt: Doubt;
  readonly tries: { made: number; max: number };
  reply?: Ran<Reply>;
  error?: unknown;
}

/** The minimum time for servers slower than the majority. Without them, any failure may end the majority. */
const GRACE_MS = 100;

export const replies = <Reply>(answers: readonly ServerAnswer<Reply>[]): Ran<Reply>[] =>
  answers.flatMap(({ reply }) => reply ?? []);

export const withStatus = <Reply extends AnyReply, Status extends Reply["status"]>(
  answers: readonly ServerAnswer<Reply>[],
  status: Status,
): Ran<Extract<Reply, { readonly status: Status }>>[] =>
  replies(answers).filter((reply) => reply.status === status) as never;

/** Whether this many are a majority of the servers. */
export const isMajority = (servers: Servers, some: readonly unknown[]): boolean => 2 * some.length > servers.length;

/** Whether the rest are too few for a majority. */
export const preventsMajority = (servers: Servers, some: readonly unknown[]): boolean =>
  2 * some.length >= servers.length;

/** Whether a majority answered. */
export const isAnswered = (servers: Servers, answers: readonly ServerAnswer<unknown>[]): boolean =>
  isMajority(servers, replies(answers));

/** Whether a majority replied with this status, or so many replied `lost` that no majority still can. */
export const isDecided = (servers: Servers, answers: readonly ServerAnswer<AnyReply>[], status: string): boolean =>
  isMajority(servers, withStatus(answers, status)) || preventsMajority(servers, withStatus(answers, "lost"));

/** How one step asks the servers. */
interface Asking<Reply> {
  /** Whether the answers are enough. Default: a majority is. */
  readonly ready?: (answers: readonly ServerAnswer<Reply>[]) => boolean;
  /** Whether slower servers get `serverTimeout`. Default false. */
  readonly patient?: boolean;
  /** The unknown outcomes of earlier steps on each server. Default: none. */
  readonly doubts?: ReadonlyMap<Server, Doubt>;
}

/**
 * Asks all servers in parallel. Once the answers are `ready`, the other servers have the same time again
 * (`serverTimeout` if `patient`). After that, nothing is retried, but requests in progress continue.
 */
export function askAll<Reply>(
  servers: Servers,
  among: readonly Server[],
  call: Call,
  ask: (server: Server, call: Call, elapsed: () => number) => Promise<Ran<Reply>>,
  { ready = (some) => isAnswered(servers, some), patient = false, doubts = new Map() }: Asking<Reply> = {},
): Promise<readonly ServerAnswer<Reply>[]> {
  const [{ connection, limitMs }] = servers;
  const elapsed = stopwatch(connection.clock);
  const answers: ServerAnswer<Reply>[] = among.map((server) => ({
    server,
    doubt: doubts.get(server) ?? new Doubt(),
    tries: { made: 0, max: call.tries?.max ?? Number.POSITIVE_INFINITY },
  }));
  return new Promise((resolve) => {
    let open = answers.length;
    let stop: (() => void) | undefined;
    const end = (): void => {
      stop?.();
      for (const { tries } of answers) tries.max = 0;
      resolve(answers);
    };
    for (const answer of answers) {
      // A round ends when a majority has answered, so no server may park its request.
      ask(answer.server, { ...call, doubt: answer.doubt, tries: answer.tries, longPoll: undefined }, elapsed)
        .then(
          (reply) => {
            answer.reply = reply;
          },
          (error: unknown) => {
            answer.error = error;
          },
        )
        .then(() => {
          if (--open === 0) return end();
          if (stop || !ready(answers)) return;
          const graceMs = Math.min(limitMs - elapsed(), patient ? limitMs : Math.max(elapsed(), GRACE_MS));
          stop = alarm(Math.max(graceMs, 1), undefined, end, connection.clock);
        });
    }
  });
}

/**
 * The error of a step without a majority: a permanent one, such as an environment without URL and token; otherwise the
 * error that a majority failed with, if there is one; otherwise `no_quorum`. Unless the caller settles what an
 * unanswered request may have done, the error of a majority does not say that nothing was done elsewhere.
 */
export function noQuorum(
  servers: Servers,
  answers: readonly ServerAnswer<unknown>[],
  { settlesDoubt = false }: Pick<Call, "settlesDoubt"> = {},
): unknown {
  const misuse = answers.find(({ error }) => error instanceof TypeError);
  if (misuse) return misuse.error;
  const errors = answers.flatMap(({ error }) => (error instanceof LeaseholdError ? [error] : []));
  const isKnown = settlesDoubt || !answers.some(({ doubt }) => doubt.isOpen());
  const common = errors.find(
    (one) =>
      isKnown &&
      !isNoAnswer(one) &&
      isMajority(
        servers,
        errors.filter(({ code }) => code === one.code),
      ),
  );
  const why = `"${servers[0].name}" has no majority: ${replies(answers).length} of ${servers.length} servers answered`;
  return common ?? new LeaseholdError("no_quorum", why, { cause: errors[0] });
}
