import { GatewayError, NoAnswer, NotSent, ReplyTooLarge } from "../../shared/errors.ts";

/**
 * Waits for all parts of a request. When one of them fails, the request fails as a whole: with {@link NotSent} only if nothing of
 * it was sent, since to ask again would run the rest twice.
 *
 * @param hasRun whether something besides the parts has run already
 */
export async function together(parts: readonly Promise<void>[], hasRun: boolean): Promise<void> {
  const settled = await Promise.allSettled(parts);
  const errors: unknown[] = settled.filter((result) => result.status === "rejected").map(({ reason }) => reason);
  if (errors.length === 0) return;
  const unexpected = errors.find((error) => !(error instanceof GatewayError));
  if (unexpected !== undefined) throw unexpected;
  if (!hasRun && errors.length === parts.length && errors.every((error) => error instanceof NotSent)) throw errors[0];
  throw errors.find((error) => error instanceof ReplyTooLarge) ?? new NoAnswer();
}
