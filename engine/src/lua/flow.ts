import type { Frame } from "./scope.ts";

/** How a statement ended: normally, by `break`, or by `return`. */
type End = 0 | 1 | 2;
export type Run = (frame: Frame) => End;

export const NEXT = 0;
export const BREAK = 1;
export const RETURN = 2;
