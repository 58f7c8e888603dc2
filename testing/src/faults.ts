import { checkOptions } from "./known-options.ts";
import { OPERATIONS, type Operation, type Purpose } from "./locks/operation.ts";
import { type Duration, toMs } from "./time/duration.ts";

/**
 * The fate of a request:
 *
 * - `"request lost"`: the connection breaks before the server receives it
 * - `"answer lost"`: the server runs it, and the connection breaks before the answer
 * - `"late"`: the server runs and answers it only after `by`
 * - `"twice"`: it arrives twice, and the second answer is returned
 * - `"status 503"`: a proxy answers, and it is not run
 * - `"away"`: the connection is refused
 */
export type FaultKind = "request lost" | "answer lost" | "late" | "twice" | "status 503" | "away";

const KINDS: readonly string[] = [
  "request lost",
  "answer lost",
  "late",
  "twice",
  "status 503",
  "away",
] satisfies FaultKind[];

export interface FaultOptions {
  readonly kind: FaultKind;
  /** The affected requests, by their purpose. Default: all. */
  readonly on?: Operation | undefined;
  /** The name of the affected requests. Default: any. */
  readonly name?: string | undefined;
  /** The number of affected requests. Default 1; `Infinity`: all until the fault is removed. */
  readonly times?: number | undefined;
  /** The delay of a `"late"` request, in ms or like `"10s"`. Default 10 s. */
  readonly by?: Duration | undefined;
}

export interface Fault {
  readonly kind: FaultKind;
  readonly byMs: number;
}

export interface Faults {
  /** Returns a function that removes the fault. */
  add(options: FaultOptions): () => void;
  /** The fault of a request, if there is one. */
  meet(purpose: Purpose): Fault | undefined;
}

/** Faults apply in the order in which they were added. */
export function createFaults(): Faults {
  const open: { readonly options: FaultOptions; readonly fault: Fault; rest: number }[] = [];
  return {
    add(options) {
      checkOptions(options, "fault", { kind: KINDS, on: OPERATIONS, name: "string", times: "number", by: "duration" });
      const { kind, times = 1, by = "10s" } = options;
      if (kind === undefined) throw new TypeError(`fault: kind must be one of ${KINDS.join(", ")}`);
      if (!(times > 0)) throw new RangeError("times must be at least 1");
      const entry = { options, fault: { kind, byMs: toMs(by, "by") }, rest: times };
      open.push(entry);
      return () => {
        entry.rest = 0;
      };
    },
    meet({ operation, name }) {
      const entry = open.find(
        ({ options, rest }) => rest > 0 && (options.on ?? operation) === operation && (options.name ?? name) === name,
      );
      if (!entry) return undefined;
      entry.rest--;
      return entry.fault;
    },
  };
}
