import type { RequestHead } from "./request-head.ts";

/** The end of a request, after its head and the pieces of its body. */
export const END: unique symbol = Symbol("end");

/** A part of a request: its head, a piece of its body, or its end. */
export type Part = RequestHead | Buffer | typeof END;
