import type { Locks as AllKinds } from "leasehold";

/**
 * The client that `LeaseholdModule` provides: every kind as a method. It is also the client's injection token:
 * `constructor(private readonly locks: Locks) {}`.
 */
// A class, since compilers that compile each file separately inject no other type.
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: Nest makes no instance of it, and provides a whole client.
export abstract class Locks {}

export interface Locks extends AllKinds {}
