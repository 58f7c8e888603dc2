import type { Connection, Duration, WaitUntil } from "leasehold";
import {
  type Background,
  boundWaitUntil,
  checkOptions,
  misuse,
  type OnlyJson,
  toChoice,
  toIdentity,
  toLease,
  toLimits,
  toMs,
  toNote,
  toSignal,
  toTtl,
  writeJson,
} from "leasehold/internal";

/**
 * What a turn does if another turn of its conversation is running: `supersede` ends that turn and begins; `queue`
 * waits, in order of arrival; `reject` throws a LockTimeoutError that names the running turn.
 */
export type OnBusy = "supersede" | "queue" | "reject";

/** Options of {@link turn}. */
export interface TurnOptions {
  /** What to do if another turn of the conversation is running. Use the same value for all turns of a conversation. */
  readonly onBusy: OnBusy;
  /**
   * What the turn answers, such as the ID of a message. A turn with the same ID gets the results of an earlier turn's
   * steps, for example of one whose process died. Default: steps are remembered only for this turn.
   */
  readonly id?: string | undefined;
  /**
   * The lease of a turn, in ms or like `"15s"`, extended while the turn runs. A dead turn blocks the others for this
   * time. Default: the connection's `lease`, 30 s.
   */
  readonly lease?: Duration | undefined;
  /**
   * How long to wait with `queue`, and how long to retry with `supersede` and `collect` while no server answers, in ms
   * or like `"10s"`. Default 10 s. A turn that supersedes fails earlier if an outage lasts longer than the connection's
   * `retention`, since a later message may have its turn by then.
   */
  readonly wait?: Duration | undefined;
  /** A text for people, shown by the error of a refused turn. */
  readonly label?: string | undefined;
  /** How long the results of steps are remembered, in ms or like `"24h"`. Default 24 h. */
  readonly ttl?: Duration | undefined;
  /**
   * The maximum time between two checks whether the turn was overtaken, if the server does not hold requests; the first
   * checks are more frequent. Default 1 s, or a third of the lease if that is shorter.
   */
  readonly checkEvery?: Duration | undefined;
  /** How long to keep extending the lease, in ms or like `"1h"`. Default 25 s with a `waitUntil`, otherwise 1 h. */
  readonly maxHold?: Duration | undefined;
  /** Aborts the wait for the turn, and the signal of the running turn. */
  readonly signal?: AbortSignal | undefined;
  /** The platform's `waitUntil`. It receives work that the call does not await. */
  readonly waitUntil?: WaitUntil | undefined;
}

/** Options of a {@link turn} that collects messages. */
export interface CollectOptions<M = unknown> extends Omit<TurnOptions, "onBusy" | "id"> {
  /**
   * Keeps the message if a turn is running: that turn's successor gets all messages that arrived meanwhile, in order,
   * each once. Use it for all turns of a conversation.
   */
  readonly onBusy: "collect";
  /** The ID of the message, the same for all its deliveries: 1 to 512 bytes. A message with a known ID is not kept again. */
  readonly id: string;
  /** The message, as the turn gets it: JSON of at most 256 kB, with its ID. Default null. */
  readonly message?: (M & OnlyJson<M>) | undefined;
  /**
   * A turn begins its work once no new message has arrived for this time, in ms or like `"2s"`; after ten times as
   * long, or with 100 messages, it begins anyway. Default 0.
   */
  readonly quiet?: Duration | undefined;
  /**
   * How long messages wait for a turn, how long the IDs of handled ones are known, and how long the results of steps are
   * remembered, in ms or like `"24h"`. Messages are kept for `maxHold` at least. Default 24 h.
   */
  readonly ttl?: Duration | undefined;
  /**
   * How long to keep extending the lease, over all turns of the call, in ms or like `"1h"`. After it, the call begins no
   * further turn. Default 25 s with a `waitUntil`, otherwise 1 h.
   */
  readonly maxHold?: Duration | undefined;
}

/** Options of any turn. */
export type AnyOptions = Omit<TurnOptions, "onBusy"> & {
  readonly onBusy: OnBusy | "collect";
  readonly message?: unknown;
  readonly quiet?: Duration | undefined;
};

const OPTIONS = "onBusy id lease wait label ttl checkEvery maxHold signal waitUntil timeout>wait";
const DEFAULT_CHECK_MS = 1000;

/** The checked options of a turn. */
export interface Settled {
  readonly leaseMs: number;
  readonly waitMs: number;
  readonly checkMs: number;
  readonly quietMs: number;
  readonly maxHoldMs: number;
  readonly ttl: Duration;
  readonly ttlMs: number;
  /** The label, and the process of the connection. */
  readonly note: string;
  /** The ID and the message, as JSON; undefined unless the turn collects. */
  readonly text: string | undefined;
  readonly waitUntil: Background | undefined;
}

/** Writes a message with its ID. @throws TypeError or RangeError for a message that cannot be kept. */
function toMessage(id: string, message: unknown): string {
  const written = writeJson({ id, message: message ?? null }, "message");
  if (written.text !== undefined) return written.text;
  throw misuse(written.why === "too_large" ? RangeError : TypeError, written.error.message);
}

/** @throws TypeError or RangeError; the message does not name the call. */
export function settle(options: AnyOptions, connection: Connection): Settled {
  const collects = Object(options).onBusy === "collect";
  const ofCollect = (["message", "quiet"] as const).find((option) => option in Object(options));
  if (ofCollect && !collects) throw misuse(TypeError, `no option "${ofCollect}" without onBusy: "collect"`);
  checkOptions(options, collects ? `${OPTIONS} message quiet` : OPTIONS);
  const { onBusy, id, lease, wait = 10_000, ttl = "24h", checkEvery, maxHold, signal, label } = options;
  toChoice(onBusy, "onBusy", "supersede or queue or reject or collect");
  if (id !== undefined) toIdentity(id, "id");
  else if (collects)
    throw misuse(TypeError, 'onBusy: "collect" needs an id, the same for all deliveries of the message');
  const leaseMs = lease === undefined ? connection.leaseMs : toLease(lease);
  toSignal(signal);
  const waitUntil = boundWaitUntil(options);
  const { maxHoldMs } = toLimits({ maxHold }, waitUntil) as { maxHoldMs: number };
  const checkMs = checkEvery === undefined ? DEFAULT_CHECK_MS : toMs(checkEvery, "checkEvery", 10);
  return {
    leaseMs,
    waitMs: toMs(wait, "wait", 0),
    checkMs: Math.min(checkMs, leaseMs / 3),
    quietMs: toMs(options.quiet ?? 0, "quiet", 0),
    maxHoldMs,
    ttl,
    ttlMs: toTtl(ttl),
    note: toNote(label, "label") + connection.holder,
    text: collects ? toMessage(id as string, options.message) : undefined,
    waitUntil,
  };
}
