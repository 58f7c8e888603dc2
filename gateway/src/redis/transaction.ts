import { NoAnswer } from "../shared/error-answers.ts";
import { type Command, elementsOf, isArray, type Reply } from "./backend.ts";

/** Commands between MULTI and EXEC. */
export const asTransaction = (commands: readonly Command[]): Command[] => [["MULTI"], ...commands, ["EXEC"]];

/** The errors of an EXEC that ran nothing: a command could not be queued, or the slot moved after it was. */
const DISCARDED = /^(EXECABORT|MOVED|ASK|TRYAGAIN|CLUSTERDOWN|CROSSSLOT) /;

/**
 * Reads the replies to {@link asTransaction}: returns the replies to the commands, or the error with which Redis
 * discarded them.
 *
 * @throws {NoAnswer} if the commands may still have run
 */
export function transactionResult(replies: readonly Reply[]): readonly Reply[] | Error {
  const [begun = null] = replies;
  const last = replies.at(-1) ?? null;
  if (isArray(last)) return elementsOf(last);
  if (last instanceof Error && !(begun instanceof Error) && DISCARDED.test(last.message)) return last;
  // EXEC found no transaction (a user who may not call MULTI): the commands ran one by one, and must not look
  // discarded.
  throw new NoAnswer();
}
