import type { Operation, Status } from "../../verification/histories/history.ts";

/** An operation with what a test says of it, and nothing else. */
export function operation(given: Partial<Operation> & Pick<Operation, "id" | "action" | "call">): Operation {
  const { id, status = "ok" as Status, call } = given;
  const nothing = {
    client: "a",
    reentryKey: "",
    lease: 0,
    side: "write",
    permits: 0,
    token: 0,
    attempt: 0,
    slot: "",
    value: "",
  } as const;
  return { ...nothing, status, hold: id, ret: status === "unknown" ? Infinity : call + 1, ...given };
}

/** A lease of 100 ms. */
export const acquire = (id: number, call: number, given: Partial<Operation> = {}): Operation =>
  operation({ id, action: "acquire", call, lease: 100, ...(given.status ? {} : { token: id }), ...given });

export const release = (id: number, hold: number, call: number, given: Partial<Operation> = {}): Operation =>
  operation({ id, action: "release", hold, call, ...given });

export const extend = (id: number, hold: number, call: number, given: Partial<Operation> = {}): Operation =>
  operation({ id, action: "extend", hold, call, lease: 100, ...given });
