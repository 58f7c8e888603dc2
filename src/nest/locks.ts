import type { Locks as AllKinds } from "../create-locks.ts";

/** The client that `LeaseholdModule` provides: every kind as a method. */
export type Locks = AllKinds;

/**
 * The client's injection token: `constructor(private readonly locks: Locks) {}`.
 *
 * @internal
 */
export const Locks: abstract new () => AllKinds = class Locks {} as unknown as abstract new () => AllKinds;
