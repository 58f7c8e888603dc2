/**
 * Bytes in a buffer of their own: `Uint8Array<ArrayBuffer>`, also for compilers before TypeScript 5.7, whose arrays are
 * not generic.
 */
export type Bytes = ReturnType<Uint8Array["slice"]>;

/** Text as UTF-8. */
export const bytesOf = (text: string): Bytes => new TextEncoder().encode(text) as Bytes;
