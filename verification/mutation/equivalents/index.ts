import type { Equivalent } from "./equivalent.ts";
import { OTHERS } from "./others.ts";
import { READ_WRITE } from "./read-write.ts";
import { SEMAPHORES } from "./semaphore.ts";
import { SOURCES } from "./sources.ts";

/** Changes that no check can detect, since they change no behaviour that callers may rely on. */
export const EQUIVALENTS: readonly Equivalent[] = [...OTHERS, ...READ_WRITE, ...SEMAPHORES, ...SOURCES];
