import { toBytes } from "leasehold-engine/rest";
import { objectName } from "./access.ts";
import type { RunResult } from "./handler.ts";
import { checkMembers } from "./members.ts";
import { findObjects, isOverload, type LeaseholdNamespace, OVERLOADED_MS, type Placement } from "./namespace.ts";
import { objectOf } from "./route.ts";

/** The answer to one command, in the form of `leasehold`. */
interface Answer {
  readonly result?: unknown;
  readonly error?: string | undefined;
}
type Command = readonly (string | number)[];
/** The outcome of one attempt, in the form of `leasehold`. */
type Outcome =
  | {
      readonly type: "answered";
      readonly result: unknown;
      readonly answers: readonly Answer[];
      readonly heldMs?: number | undefined;
      readonly isOffered?: boolean | undefined;
    }
  | {
      readonly type: "refused";
      readonly code: "redis_error" | "rate_limited";
      readonly error: string;
      readonly retryAfterMs?: number | undefined;
      readonly answers?: readonly Answer[] | undefined;
    }
  | { readonly type: "unknown"; readonly error: string; readonly cause?: Error | undefined };

/** Durable Objects as the server of `connect` and `createLocks`. */
export interface DurableObjectRedis {
  readonly port: {
    (command: Command, signal: AbortSignal, behind?: readonly Command[], holdMs?: number): Promise<Outcome>;
    readonly isSingle: true;
  };
  readonly server: string;
}

/** Shorter arguments of a command are not secrets. */
const SECRET_LENGTH = 16;

/** Removes quotes of a command from a message. */
function discreet(message: string, command: Command): string {
  let text = message;
  for (const word of command.slice(1))
    if (`${word}`.length >= SECRET_LENGTH && text.includes(`${word}`) && !/^[\da-f]{40}$/.test(`${word}`))
      text = text.slice(0, text.indexOf(`${word}`)).concat("…");
  return text;
}

function answered({ answers: texts, heldMs, isOffered }: RunResult, commands: readonly Command[]): Outcome {
  const answers = texts.map((text, at): Answer => {
    const { error, ...answer } = JSON.parse(text) as Answer;
    return error === undefined ? answer : { error: discreet(error, commands[at] ?? []) };
  });
  const error = answers.find((answer) => answer.error !== undefined)?.error;
  if (error !== undefined) return { type: "refused", code: "redis_error", error, answers };
  return { type: "answered", result: answers[0]?.result, answers, heldMs, isOffered };
}

/** The outcome of a call that threw. Only an overload proves that the object did nothing. */
function failed(thrown: unknown, command: Command): Outcome {
  const { message, name = "Error" } = Object(thrown) as Error;
  const error = discreet(`${message}`, command);
  // Calls that do not wait fail immediately, and waiters retry later than those would.
  if (isOverload(thrown)) return { type: "refused", code: "rate_limited", error, retryAfterMs: OVERLOADED_MS };
  return { type: "unknown", error, cause: Object.assign(new Error(error), { name }) };
}

/** Commands that need no object. */
const LOCAL: ReadonlyMap<string, () => unknown> = new Map<string, () => unknown>([
  ["ping", () => "PONG"],
  ["time", () => [String(Math.floor(Date.now() / 1000)), String((Date.now() % 1000) * 1000)]],
]);

/** The answer to a command that belongs to no object. */
function local([verb = ""]: Command): Outcome {
  const own = LOCAL.get(`${verb}`.toLowerCase())?.();
  if (own !== undefined) return { type: "answered", result: own, answers: [{ result: own }] };
  const error = `ERR ${verb} needs a server that has all names in one place; each name is an object of its own here`;
  return { type: "refused", code: "redis_error", error };
}

/**
 * Makes Durable Objects the server of `connect` and `createLocks`: one for each name, or for each group of names.
 *
 * @example
 * ```ts no-run
 * import { createLocks } from "leasehold";
 * import { durableObject } from "leasehold-durable-object";
 *
 * const locks = createLocks({ redis: durableObject(env.LEASEHOLD) });
 * ```
 *
 * @param namespace the binding to the class, such as `env.LEASEHOLD`
 * @throws TypeError for anything else, and for a placement that is unknown or cannot be honoured
 */
export function durableObject(namespace: LeaseholdNamespace, options: Placement = {}): DurableObjectRedis {
  checkMembers(options, ["jurisdiction", "locationHint"], "the options of durableObject");
  const stubOf = findObjects(namespace, options);

  async function port(
    command: Command,
    _signal: AbortSignal,
    behind: readonly Command[] = [],
    holdMs = 0,
  ): Promise<Outcome> {
    const { name, error } = objectOf(command);
    if (error !== undefined) return { type: "refused", code: "redis_error", error };
    if (name === undefined) return local(command);
    const commands = [command, ...behind];
    try {
      const words = commands.map((each) => each.map((word) => toBytes(`${word}`)));
      return answered(await stubOf(objectName(name)).run(words, holdMs > 0 ? { waitMs: holdMs } : {}), commands);
    } catch (thrown) {
      return failed(thrown, command);
    }
  }

  return { port: Object.assign(port, { isSingle: true as const }), server: "" };
}
