import { shaOf } from "../shared/crypto.ts";
import { type LeaseholdError, OutcomeUnknownError, wrongKind } from "../shared/errors.ts";
import type { Call, Ran, Refusing, Tries } from "./call.ts";
import { beforeRunMs, learnOffset, offsetOf, stopwatch } from "./clock.ts";
import { patienceOf, type Route, routeAlone } from "./connect.ts";
import { createDoubt, type Doubt, rememberedMs, type Sent } from "./doubt.ts";
import { errorOf, hostOf, inDoubt, isAway, isHopeless, mayPass, READS } from "./failure.ts";
import { type Answered, attempt, type Command, type Failed, type Outcome, type Port, refused } from "./port.ts";
import { attemptLimitOf, holdMsOf, LAST_MOMENT_MS, limitOf, noteHold, retryPolicy } from "./retry-policy.ts";
import { type AnyReply, clockOf, decodeReply, KEY_LOCKING, type Script } from "./script.ts";
import type { Target } from "./target.ts";

/** One run of a script: the data shared by all its attempts. */
interface Run<Reply> {
  readonly target: Target;
  /** The key of the first record. */
  readonly record: string;
  readonly script: Script<never, Reply>;
  readonly args: readonly (string | number)[];
  readonly call: Call;
  readonly route: Route;
  readonly doubt: Doubt;
  readonly tries: Tries;
  readonly budgetMs: number;
  readonly elapsed: () => number;
}

/** What the next attempt of a run needs to know about the previous ones. */
interface Progress {
  readonly attempts: number;
  /** How many of them failed, and how many were late. */
  readonly failures: number;
  readonly late: number;
  /** Whether the script must be sent as text. */
  readonly byText: boolean;
  /** The time in which the run must be answered, in ms since it began. */
  readonly budgetMs: number;
  /** When the server was first found unreachable. */
  readonly awayAtMs: number | undefined;
  /** Whether retries are pointless. */
  readonly isHopeless: boolean;
  /** The last thrown error. */
  readonly cause: Error | undefined;
}

const NO_ATTEMPT: Omit<Progress, "budgetMs"> = {
  attempts: 0,
  failures: 0,
  late: 0,
  byText: false,
  awayAtMs: undefined,
  isHopeless: false,
  cause: undefined,
};

/** One attempt, ready to be sent. */
interface Request {
  readonly command: Command;
  readonly isFlagged: boolean;
  readonly limitMs: number;
  /** The wall clock before it is sent, and the time since then. */
  readonly sentAt: number;
  readonly since: () => number;
  /** The server's time (µs) after which it changes nothing; Infinity for a script without a deadline. */
  readonly voidAfterUs: number;
  /** How long the server may hold it, in ms; 0 for not at all. */
  readonly holdMs: number;
}

/**
 * The result of an attempt: a usable reply, the reply `late`, or a failure. Without a usable reply, it has a failure to
 * report if no other attempt follows.
 */
type Attempted<Reply> =
  | ({ readonly type: "replied"; readonly reply: Reply & AnyReply } & Pick<
      Answered,
      "answers" | "heldMs" | "isOffered"
    >)
  | { readonly type: "late"; readonly reply: AnyReply; readonly failure: Failed }
  | { readonly type: "unknown script" | "refused flag" | "failed"; readonly failure: Failed };

/**
 * Makes the next attempt: by `EVALSHA`, and by `EVAL` only if the server does not know the script. The request is void
 * once the client stops waiting for it. The connection remembers when the last of its requests is void.
 *
 * @throws OutcomeUnknownError if the server no longer remembers what the previous attempts did.
 */
async function encode<Reply>(run: Run<Reply>, progress: Progress): Promise<Request> {
  const { target, record, script, args, call } = run;
  const { connection, keys } = target;
  const { clock, state, requestTimeoutMs } = connection;
  const { leastMs = LAST_MOMENT_MS, moreMs = 0, waits = false } = call;
  const insists = waits && !progress.isHopeless;
  const isFlagged = state.dialect === "flagged";
  const text = isFlagged ? KEY_LOCKING + script.lua : script.lua;
  const sha = await shaOf(text);
  call.signal?.throwIfAborted();
  const validMs = rememberedMs(run.doubt, connection.retentionMs);
  if (validMs <= 0) throw ending(run, new OutcomeUnknownError(target.name, "no answer for too long"));

  const leftMs = limitOf({ budgetMs: progress.budgetMs, awayAtMs: progress.awayAtMs, insists }) - run.elapsed();
  const limitMs = Math.min(attemptLimitOf(requestTimeoutMs, run.budgetMs), Math.max(leftMs, leastMs)) + moreMs;
  const sentAt = clock.now();
  const since = stopwatch(clock);
  const notAfter = Math.floor((sentAt + offsetOf(state.offsets, record) + Math.min(limitMs, validMs)) * 1000);
  state.due = Math.max(state.due, notAfter);
  // A script that can answer `late` receives, as its first argument, the server time after which the request is void.
  const takesDeadline = "late" in script.replies;
  const named = progress.byText ? ["EVAL", text] : ["EVALSHA", sha];
  const deadline = takesDeadline ? [notAfter] : [];
  return {
    command: [...named, keys.length, ...keys, ...deadline, ...args],
    isFlagged,
    limitMs,
    sentAt,
    since,
    voidAfterUs: takesDeadline ? notAfter : Number.POSITIVE_INFINITY,
    holdMs: holdMsOf(call, Math.min(limitMs, validMs)),
  };
}

/**
 * The error of a run that ends without a usable reply. The last answer says nothing about an earlier attempt that may
 * have run; unless the caller settles that, the outcome is unknown. So it is after a failure of the server itself,
 * `failure`, unless the operation changes nothing.
 */
function ending<Reply>({ target, call, doubt }: Run<Reply>, error: LeaseholdError, failure?: Failed): LeaseholdError {
  const isKnown = failure?.type === "unknown" && failure.failsAgain && READS.test(call.operation);
  if (call.settlesDoubt || isKnown || !(doubt.isOpen() || error instanceof OutcomeUnknownError)) return error;
  const unknown = error instanceof OutcomeUnknownError ? error : inDoubt(target.name, error);
  return Object.assign(unknown, { operation: call.operation });
}

/** Sends one attempt. */
function send<Reply>({ target, route, call }: Run<Reply>, { command, limitMs, holdMs }: Request): Promise<Outcome> {
  const { port } = route;
  const via: Port = holdMs > 0 ? (...given) => port(given[0], given[1], given[2], holdMs) : port;
  return attempt(via, command, limitMs, call.signal, target.connection.clock, call.behind);
}

/** Returns the result of an attempt. @throws LeaseholdError for an answer that the script does not declare. */
function classify<Reply>(
  { script, target }: Run<Reply>,
  { byText }: Progress,
  { isFlagged }: Request,
  outcome: Outcome,
): Attempted<Reply> {
  if (outcome.type === "answered") {
    const { answers, result, heldMs, isOffered } = outcome;
    const reply = decodeReply(script, result, hostOf(target.connection)) as Reply & AnyReply;
    if (reply.status === "late") return { type: "late", reply, failure: refused("TRYAGAIN too late") };
    return { type: "replied", reply, answers, heldMs, isOffered };
  }
  if (!byText && /^NOSCRIPT/.test(outcome.error)) return { type: "unknown script", failure: outcome };
  if (isFlagged && /in script shebang/.test(outcome.error)) return { type: "refused flag", failure: outcome };
  return { type: "failed", failure: outcome };
}

/** Records an attempt: its doubt, the server's clock, and the event. */
function account<Reply>(
  { target, record, call, doubt }: Run<Reply>,
  { attempts }: Progress,
  request: Request,
  sent: Sent,
  attempted: Attempted<Reply>,
): void {
  const { clock, state } = target.connection;
  const { operation } = call;
  const reply = "reply" in attempted ? attempted.reply : undefined;
  const failure = "reply" in attempted ? undefined : attempted.failure;
  const isUnanswered = failure?.type === "unknown";
  const nowUs = reply && clockOf(reply);
  // A late request may be a duplicate of one that arrived in time.
  if (attempted.type === "late" || isUnanswered) sent.unanswered();
  else sent.answered(nowUs);
  const why = failure?.error ?? "";
  target.emit?.({
    type: "request",
    operation,
    attempt: attempts + 1,
    durationMs: request.since(),
    status: reply?.status,
    why,
    server: target.connection.server.split("/")[0] ?? "",
  });
  const heldMs = "heldMs" in attempted ? attempted.heldMs : undefined;
  noteHold(call, request, { heldMs, isAnswered: reply !== undefined, isUnanswered, isDoubted: doubt.isOpen() });
  // It was refused first, whatever the final answer is.
  if (heldMs !== undefined) doubt.joinsQueue();
  if (nowUs !== undefined) {
    const runAt = request.sentAt + beforeRunMs(request.since, heldMs);
    learnOffset(state.offsets, record, nowUs / 1000, clock.now(), heldMs === undefined ? undefined : runAt);
  }
}

/**
 * Decides what follows an attempt without a usable reply: another one, immediately or after a delay.
 *
 * @throws LeaseholdError, the failure, if no other attempt follows; the signal's reason.
 */
async function decide<Reply>(
  run: Run<Reply>,
  progress: Progress,
  { type, failure }: Exclude<Attempted<Reply>, { readonly type: "replied" }>,
): Promise<Progress> {
  const { target, call, route, tries, doubt, elapsed } = run;
  const { connection, emit } = target;
  const { signal, operation, waits = false, busyMs = 0 } = call;
  const hopeless = progress.isHopeless || isHopeless(failure, connection);
  const insists = waits && !hopeless;
  const late = type === "late" ? progress.late + 1 : progress.late;
  const awayAtMs = progress.awayAtMs ?? (isAway(failure) ? elapsed() : undefined);
  const setback = type !== "failed" ? type : mayPass(failure, call.mayPass) ? "passing" : "final";
  // An answer shows that the server works, only not for this request now.
  const isBusy = failure.type === "refused" && mayPass(failure);
  const budgetMs = isBusy ? Math.max(progress.budgetMs, busyMs) : progress.budgetMs;
  // The last attempt may be too short to fail for the same reason as the one before.
  const cause = failure.cause ?? progress.cause;
  const { failures } = progress;
  const next = { ...progress, attempts: progress.attempts + 1, late, awayAtMs, isHopeless: hopeless, cause };
  const decision = retryPolicy({
    setback,
    late,
    failures,
    made: tries.made,
    most: tries.most,
    elapsedMs: elapsed(),
    budgetMs,
    spreadMs: Math.max(route.spreadMs(), isBusy ? busyMs : 0),
    awayAtMs,
    insists,
    random: route.random,
    rememberedMs: rememberedMs(doubt, connection.retentionMs),
    retryAfterMs: failure.retryAfterMs ?? 0,
  });
  if (decision.retry === "now") {
    // The text without the flag has another SHA-1, which the server may know.
    if (type === "refused flag") connection.state.dialect = "plain";
    return { ...next, byText: type === "unknown script" || (type === "late" && progress.byText) };
  }

  const error = errorOf(target, failure, { cause, isDoubted: doubt.isOpen() });
  if (setback === "passing" || setback === "late") tries.made++;
  if (decision.retry === "never") throw ending(run, error, failure);
  const { delayMs } = decision;
  emit?.({ type: "retried", operation, why: failure.error, delayMs });
  await route.pause(delayMs, signal);
  // Other runs share `tries` and may have used them up.
  if (tries.made >= tries.most) throw ending(run, error, failure);
  // After an answer, the time to get the next one begins anew.
  const renewedMs = isBusy ? Math.min(elapsed() + run.budgetMs, budgetMs) : budgetMs;
  return { ...next, failures: failures + 1, budgetMs: Math.max(renewedMs, run.budgetMs) };
}

/** Applies a reply. @throws LeaseholdError if the name is in use as another kind. */
function accept<Reply>(
  run: Run<Reply>,
  request: Request,
  { reply, answers, heldMs, isOffered }: Extract<Attempted<Reply>, { readonly type: "replied" }>,
): Ran<Reply> {
  const { target, call, tries } = run;
  if (reply.status === "kind") throw ending(run, wrongKind(target.name, reply.kind as string));
  tries.made++;
  call.heard?.(target, reply);
  const { sentAt, since } = request;
  const laterMs = beforeRunMs(request.since, heldMs);
  return {
    ...(reply as Exclude<Reply, Refusing>),
    sentAt: sentAt + laterMs,
    since: () => since() - laterMs,
    wasHeld: heldMs !== undefined,
    isOffered,
    answers,
  };
}

/**
 * Runs a script until it is answered. An unanswered request is retried with the same IDs.
 *
 * @throws LeaseholdError, also if the name is in use as another kind; the signal's reason.
 */
export async function runScript<Args extends readonly (string | number)[], Reply extends AnyReply>(
  target: Target,
  script: Script<Args, Reply>,
  args: Args,
  call: Call,
): Promise<Ran<Reply>> {
  const { connection, keys } = target;
  const { doubt = createDoubt(), tries = { made: 0, most: Number.POSITIVE_INFINITY } } = call;
  const { budgetMs = patienceOf(connection), routes = routeAlone } = call;
  const run: Run<Reply> = {
    target,
    record: keys[0] as string,
    script: script as Script<never, Reply>,
    args,
    call,
    doubt,
    tries,
    // This opens the port now. The port of `fromEnv` sets the dialect, which `encode` reads.
    route: routes(connection, budgetMs),
    budgetMs,
    elapsed: stopwatch(connection.clock),
  };
  try {
    return await runAttempts(run);
  } finally {
    run.route.leave();
  }
}

/** Makes attempts until one is answered. @throws LeaseholdError; the signal's reason. */
async function runAttempts<Reply extends AnyReply>(run: Run<Reply>): Promise<Ran<Reply>> {
  let progress: Progress = { ...NO_ATTEMPT, budgetMs: run.budgetMs };
  for (;;) {
    const request = await encode(run, progress);
    const sent = run.doubt.sends(request.since, request.voidAfterUs);
    const outcome = await send(run, request);
    const attempted = classify(run, progress, request, outcome);
    account(run, progress, request, sent, attempted);
    if (attempted.type === "replied") return accept(run, request, attempted);
    run.call.signal?.throwIfAborted();
    progress = await decide(run, progress, attempted);
  }
}
