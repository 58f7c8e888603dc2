/**
 * Refusals and errors are not remembered, so a proxy that repeats such a request on its own may acquire a lock without
 * an owner.
 */
const REFUSALS = ["held", "running", "not_reentrant"];
/** As `@upstash/redis` has its answers. */
const IN_BASE64 = REFUSALS.map((word) => Buffer.from(word).toString("base64"));
const WORDS = [...REFUSALS, ...IN_BASE64, "error"].map((word) => `"${word}"`);

/** Whether the answer of a gateway is a refusal or an error, as text or in base64. */
export const isRefusal = (answer: string): boolean => WORDS.some((word) => answer.includes(word));
