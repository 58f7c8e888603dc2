import { createLocks, type Locks } from "../../../src/index.ts";
import type { AgentTurn } from "../../src/index.ts";

/** A promise that is resolved by hand. */
export function gate<T = void>(): { readonly opened: Promise<T>; open(value: T): void } {
  let open = (_: T): void => {};
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open: (value) => open(value) };
}

/** Waits for the end of a turn, as a model does that is never done. */
export const untilOver = ({ signal }: Pick<AgentTurn, "signal">): Promise<never> =>
  new Promise((_, reject) => {
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });

/** Clients of their own, as two instances of a service have them. */
export const client = (server: { readonly url: string; readonly token: string }, more: object = {}): Locks =>
  createLocks({ url: server.url, token: server.token, ...more });
