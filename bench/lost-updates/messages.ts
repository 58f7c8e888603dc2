import type { Endpoint } from "../stage.ts";

/** When the process stops for longer than its lease: before or after it checks that it still holds the lock. */
export type Freeze = "before the check" | "after the check";

/** One element for the list, and whether the first attempt to append it is frozen. */
export interface Append {
  readonly id: number;
  readonly freeze: Freeze | undefined;
}

/** The task of a worker for one library. */
export interface Job {
  readonly library: string;
  /** The name of the lock, and of the list. */
  readonly name: string;
  readonly leaseMs: number;
  /** The minimum duration of a freeze. */
  readonly freezeMs: number;
  readonly appends: readonly Append[];
  /** The servers behind lossy proxies, for the lock. */
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
  /** `refused` counts appends that the library or the fence refused and that were repeated. */
  | { readonly type: "done"; readonly refused: number };
