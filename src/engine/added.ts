/** The methods that other entries add to what `createLocks` makes: those of `leasehold/list`, where it is imported. */
// biome-ignore lint/suspicious/noEmptyInterface: entries declare its members.
export interface Added {}

/** The object that has them, so that bundles without those entries do not grow. */
export const added: object = {};
