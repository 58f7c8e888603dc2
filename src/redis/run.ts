import { shaOf } from "../shared/crypto.ts";
import { type LeaseholdError, OutcomeUnknownError, wrongKind } from "../shared/errors.ts";
import type { Call, Ran, Refusing } from "./call.ts";
import { beforeRunMs, learnOffset, offsetOf, stopwatch } from "./clock.ts";
import { patienceOf, routeAlone } from "./connect.ts";
import { Doubt, rememberedMs, waitedUnderMs } from "./doubt.ts";
import { errorOf, hostOf, inDoubt, isAway, isHopeless, mayPass, READS } from "./failure.ts";
import { attempt, type Failed, type Outcome, refused } from "./port.ts";
import { attemptLimitOf, LAST_MOMENT_MS, limitOf, retryPolicy, type Setback } from "./retry-policy.ts";
import { type AnyReply, clockOf, decodeReply, KEY_LOCKING, type Script } from "./script.ts";
import type { Target } from "./target.ts";

/**
 * The failure of every attempt that reached the server after its deadline. The server did nothing; its reply has the
 * time by which the next attempt is not late. The text is that of a server that refuses for now. Since the request may be
 * a duplicate of one that arrived in time, its outcome counts as unknown.
 */
const TOO_LATE = refused("TRYAGAIN too late");

/** The failure of an attempt; undefined if its reply can be used. */
function failureOf(outcome: Outcome, reply: AnyReply | undefined): Failed | undefined {
  if (outcome.type !== "answered") return outcome;
  return reply?.status === "late" ? TOO_LATE : undefined;
}

/** Why an attempt has no usable reply, for {@link retryPolicy}. */
function setbackOf(failure: Failed, byText: boolean, isFlagged: boolean, mayPassToo: RegExp | undefined): Setback {
  if (failure === TOO_LATE) return "late";
  if (!byText && /^NOSCRIPT/.test(failure.error)) return "unknown script";
  if (isFlagged && /in script shebang/.test(failure.error)) return "refused flag";
  return mayPass(failure, mayPassToo) ? "passing" : "final";
}

/**
 * Runs a script until it is answered. An unanswered request is retried with the same IDs, by `EVALSHA`, and by `EVAL`
 * only if the server does not know the script. A request with a deadline is void once the client stops waiting for it.
 *
 * @throws LeaseholdError, also if the name is in use as another kind; OutcomeUnknownError if the server no longer
 * remembers what the earlier attempts did; the signal's reason.
 */
export async function runScript<Args extends readonly (string | number)[], Reply extends AnyReply>(
  target: Target,
  script: Script<Args, Reply>,
  args: Args,
  call: Call,
): Promise<Ran<Reply>> {
  const { connection, keys, name, emit } = target;
  const { clock, state, requestTimeoutMs, retentionMs } = connection;
  const { operation, signal, waits = false, leastMs = LAST_MOMENT_MS, moreMs = 0, busyMs = 0 } = call;
  const { doubt = new Doubt(), tries = { made: 0, max: Number.POSITIVE_INFINITY }, routes = routeAlone } = call;
  const givenMs = call.budgetMs ?? patienceOf(connection);
  const record = keys[0] as string;
  // A script that can answer `late` receives, as its first argument, the server time after which the request is void.
  const takesDeadline = "late" in script.replies;
  // The connection of `fromEnv` reads its environment when its port is first used, and sets the dialect then.
  const route = routes(connection, givenMs);
  const retriedMs = waits ? waitedUnderMs(retentionMs, route.random) : retentionMs;
  const elapsed = stopwatch(clock);
  /** The time in which the run must be answered. It grows while the server answers that it is busy. */
  let budgetMs = givenMs;
  /** How many attempts were followed by a delay, and how many were late. */
  let failures = 0;
  let late = 0;
  /** Whether the script must be sent as text. */
  let byText = false;
  /** When the server was first found unreachable. One that answers now and then is still tried only briefly. */
  let awayAtMs: number | undefined;
  /** Whether the run continues for its whole budget even if the server is unreachable. */
  let insists = waits;
  /** The last thrown error. */
  let cause: Error | undefined;

  /** The error of a run that ends without a usable reply: with `error`, and after `failure` if an attempt failed. */
  function ending(error: LeaseholdError, failure?: Failed): LeaseholdError {
    if (call.settlesDoubt) return error;
    // The server itself failed, and would fail again; an operation that changes nothing left nothing.
    if (failure?.type === "unknown" && failure.failsAgain && READS.test(operation)) return error;
    const isUnknown = error instanceof OutcomeUnknownError;
    if (!isUnknown && !doubt.isOpen()) return error;
    // The last answer says nothing about an earlier attempt that may have run.
    return Object.assign(isUnknown ? error : inDoubt(name, error), { operation });
  }

  try {
    for (let attempts = 1; ; attempts++) {
      const isFlagged = state.dialect === "flagged";
      const text = isFlagged ? KEY_LOCKING + script.lua : script.lua;
      const sha = await shaOf(text);
      signal?.throwIfAborted();

      // The time for this attempt.
      const validMs = rememberedMs(doubt, retentionMs);
      if (validMs <= 0) throw ending(new OutcomeUnknownError(name, "no answer for too long"));
      const leftMs = limitOf({ budgetMs, awayAtMs, insists }) - elapsed();
      const limitMs = Math.min(attemptLimitOf(requestTimeoutMs, givenMs), Math.max(leftMs, leastMs)) + moreMs;
      const wantedParkMs = call.longPoll?.parkMs(Math.min(limitMs, validMs), call.maxParkMs) ?? 0;
      const nowMs = clock.monotonic();
      const endMs = nowMs + limitMs;
      const hasPlace = wantedParkMs > 0 && state.heldPlaces.take(nowMs, endMs);
      const parkMs = hasPlace ? wantedParkMs : 0;
      const sentAt = clock.now();
      const since = stopwatch(clock);
      const notAfter = Math.floor((sentAt + offsetOf(state.offsets, record) + Math.min(limitMs, validMs)) * 1000);
      // The connection remembers when the last of its requests is void.
      state.due = Math.max(state.due, notAfter);

      const scriptCall = byText ? ["EVAL", text] : ["EVALSHA", sha];
      const command = [...scriptCall, keys.length, ...keys, ...(takesDeadline ? [notAfter] : []), ...args];
      doubt.sends();
      const outcome = await attempt(route.port, command, limitMs, signal, clock, call.behind, parkMs);
      if (hasPlace) state.heldPlaces.giveBack(endMs);

      // What the outcome shows: of the attempt, of the server's clock and of its holds.
      const answer = outcome.type === "answered" ? outcome : undefined;
      // For an answer that the script cannot give, this throws: then nobody knows what ran, so the doubt stays open.
      const reply = answer && (decodeReply(script, answer.result, hostOf(connection)) as Reply & AnyReply);
      const failure = failureOf(outcome, reply);
      const mayHaveRun = outcome.type === "unknown";
      const nowUs = reply && clockOf(reply);
      // A late request may be a duplicate of one that arrived in time.
      if (mayHaveRun || failure === TOO_LATE)
        doubt.unanswered(since, takesDeadline ? notAfter : Number.POSITIVE_INFINITY);
      else doubt.answered(nowUs);
      emit?.({
        type: "request",
        operation,
        attempt: attempts,
        durationMs: since(),
        status: reply?.status,
        why: outcome.type === "answered" ? "" : outcome.error,
        server: connection.server.split("/")[0] ?? "",
      });
      const parkedMs = failure ? undefined : answer?.parkedMs;
      call.longPoll?.record({
        parkMs,
        limitMs,
        tookMs: since(),
        parkedMs,
        isAnswered: reply !== undefined,
        mayHaveRun,
        isDoubted: doubt.isOpen(),
      });
      // A parked request was refused first, whatever the final answer is.
      if (parkedMs !== undefined) doubt.joinsQueue();
      const ranAfterMs = beforeRunMs(since, parkedMs);
      if (nowUs !== undefined)
        learnOffset(
          state.offsets,
          record,
          nowUs / 1000,
          clock.now(),
          parkedMs === undefined ? undefined : sentAt + ranAfterMs,
        );

      if (!failure) {
        const usable = reply as Reply & AnyReply;
        if (usable.status === "kind") throw ending(wrongKind(name, usable.kind as string));
        tries.made++;
        call.onReply?.(target, usable);
        return {
          ...(usable as Exclude<Reply, Refusing>),
          sentAt: sentAt + ranAfterMs,
          since: () => since() - ranAfterMs,
          wasParked: parkedMs !== undefined,
          isOffered: answer?.isOffered,
          answers: answer?.answers,
        };
      }
      signal?.throwIfAborted();

      // Without a usable reply: whether, when and in which form the script is retried.
      const setback = setbackOf(failure, byText, isFlagged, call.mayPass);
      if (setback === "late") late++;
      if (isAway(failure)) awayAtMs ??= elapsed();
      if (isHopeless(failure, connection)) insists = false;
      // A time-out has no cause, and the last attempt may be too short for more than that: an earlier cause stays.
      cause = failure.cause ?? cause;
      // A refusal for now, also of a late attempt, shows that the server works, only not for this request.
      const isBusy = failure.type === "refused" && mayPass(failure);
      const busyBudgetMs = isBusy ? busyMs : 0;
      const retry = retryPolicy({
        setback,
        late,
        failures,
        made: tries.made,
        max: tries.max,
        elapsedMs: elapsed(),
        budgetMs: Math.max(budgetMs, busyBudgetMs),
        spreadMs: Math.max(route.spreadMs(), busyBudgetMs),
        awayAtMs,
        waits,
        insists,
        random: route.random,
        rememberedMs: rememberedMs(doubt, retriedMs),
        retryAfterMs: failure.retryAfterMs ?? 0,
      });
      if (retry.type === "now") {
        // The text without the flag has another SHA-1, which the server may know.
        if (setback === "refused flag") state.dialect = "plain";
        byText = setback === "unknown script" || (setback === "late" && byText);
        continue;
      }

      const error = errorOf(target, failure, { cause, isDoubted: doubt.isOpen() });
      if (setback === "passing" || setback === "late") tries.made++;
      if (retry.type === "never") throw ending(error, failure);
      emit?.({ type: "retried", operation, why: failure.error, delayMs: retry.delayMs });
      await route.pause(retry.delayMs, signal);
      // Other runs share `tries` and may have used them up.
      if (tries.made >= tries.max) throw ending(error, failure);
      failures++;
      // If the server is busy, the time to get the next answer begins anew.
      budgetMs = Math.max(budgetMs, Math.min(elapsed() + givenMs, busyBudgetMs));
    }
  } finally {
    route.leave();
  }
}
