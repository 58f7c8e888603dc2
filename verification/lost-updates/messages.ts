import type { Endpoint } from "../../bench/stage.ts";

/** When the process stops for longer than its lease: before it asks whether it still has the lock, or after. */
export type Freeze = "before the check" | "after the check";

/** One element for the list, and whether the first attempt to append it is frozen. */
export interface Append {
  readonly id: number;
  readonly freeze: Freeze | undefined;
}

/** One library's turn in a worker. */
export interface Job {
  readonly library: string;
  /** The name of the lock, and of the list. */
  readonly name: string;
  readonly leaseMs: number;
  /** The least time that a frozen process stands still. */
  readonly freezeMs: number;
  readonly appends: readonly Append[];
  /** The servers behind proxies that lose answers, for the lock. */
  readonly lossy: Endpoint;
  /** The servers themselves, for the list. */
  readonly direct: Endpoint;
}

export type FromWorker =
  | { readonly type: "ready" }
  | { readonly type: "appended"; readonly id: number }
  /** The process is about to stop itself. */
  | { readonly type: "frozen" }
  | { readonly type: "woken" }
  /** `refused` counts appends that were not written, since the library or the fence said no, and were begun again. */
  | { readonly type: "done"; readonly refused: number };
