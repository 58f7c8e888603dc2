import type { Answer, Fault } from "../support/book.ts";

const page = (status: number, title: string): Answer => ({
  status,
  headers: { "content-type": "text/html" },
  body: `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1><p>Too many requests? Unauthorized? See our page on rate limits.</p></body></html>`,
});

const json = (status: number, error: string, headers = {}): Answer => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify({ error }),
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The script ran and the connection broke before the answer. */
export const answerLost: Fault = async ({ forward, cut }) => {
  await forward();
  cut();
};

/** The connection breaks before the request gets anywhere. */
export const reset: Fault = ({ cut }) => cut();

/** Nobody listens for a moment: the next attempt finds the connection refused. */
export const refused: Fault = ({ away }) => away(60);

/** The script ran, and something on the way answers in its own name. */
export const ranBut =
  (answer: Answer): Fault =>
  async (exchange) => {
    await exchange.forward();
    exchange.answer(answer);
  };

/** It did not run, and something on the way answers in its own name. */
export const instead =
  (answer: Answer): Fault =>
  (exchange) =>
    exchange.answer(answer);

export const unavailable: Answer = json(503, "Service Unavailable");
const gatewayTimeout: Answer = json(504, "Gateway Timeout");
export const internalError: Answer = json(500, "internal error");
export const badGateway: Answer = page(502, "Bad Gateway");
export const rateLimited = (seconds?: number): Answer => {
  const headers = seconds === undefined ? {} : { "retry-after": String(seconds) };
  return json(429, "ERR max requests limit exceeded. Limit: 10000, Usage: 10000.", headers);
};

/** Redis itself says that it did not run. */
const loading: Fault = ({ seen, answer }) => {
  const error = "LOADING Redis is loading the dataset in memory";
  const body = seen.path === "/pipeline" ? [{ error }] : { error };
  const status = seen.path === "/pipeline" ? 200 : 400;
  answer({ status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
};

/** The script ran, and half of the JSON arrives as if it were all. */
const truncated: Fault = async ({ forward, answer }) => {
  const whole = await forward();
  answer({ ...whole, body: whole.body.slice(0, whole.body.length / 2) });
};

/** The script ran, and the connection breaks in the middle of the answer. */
export const torn: Fault = async ({ forward, answerHalf }) => answerHalf(await forward());

/** The script ran, and its answer takes so long. */
export const slow =
  (ms: number): Fault =>
  async ({ forward, answer }) => {
    const late = await forward();
    await pause(ms);
    answer(late);
  };

/** It arrives twice, one after the other; the caller sees the second answer. */
const twice: Fault = async ({ forward, answer }) => {
  await forward();
  answer(await forward());
};

/** It arrives twice at the same time. */
const twiceAtOnce: Fault = async ({ forward, answer }) => {
  const [, second] = await Promise.all([forward(), forward()]);
  answer(second);
};

/** The caller sees its connection break while the request is still on its way: it arrives when the test delivers it. */
export const onItsWay: Fault = ({ keep, cut }) => {
  keep();
  cut();
};

/** The caller hears nothing, and the request arrives when the test delivers it. */
export const heldBack: Fault = ({ keep }) => keep();

/** The script ran, and the caller hears nothing. */
export const unheard: Fault = ({ forward }) => forward();

/** The gateway is given another API token, and refuses it. */
export const wrongToken: Fault = async ({ forward, answer }) =>
  answer(await forward({ authorization: "Bearer another-token" }));

/** Redis forgets all scripts just before it arrives. */
export const scriptsFlushed =
  (redis: { command(...args: string[]): Promise<string> }): Fault =>
  async ({ forward, answer }) => {
    await redis.command("SCRIPT", "FLUSH");
    answer(await forward());
  };

/**
 * Faults that differ in what became of the request: whether it ran, how often, and when. The scripts of a kind see
 * these.
 */
export const fates = (timeoutMs: number): Record<string, readonly Fault[]> => ({
  "answer lost after it ran": [answerLost],
  "connection reset before it ran": [reset],
  "answer later than the time-out": [slow(timeoutMs + 50)],
  "sent twice, one after the other": [twice],
  "sent twice at once": [twiceAtOnce],
  "broken off, and arrives after the caller is done": [onItsWay],
  "unanswered, and arrives after the caller gave up": [heldBack],
  "answer lost, then HTML with 502": [answerLost, instead(badGateway)],
});

/** Faults that differ in what the caller is told. The transport reads them, which does not know the kinds. */
const answers: Record<string, readonly Fault[]> = {
  "connection refused, then back": [refused],
  "503 after it ran": [ranBut(unavailable)],
  "503 and not run": [instead(unavailable)],
  "504 after it ran": [ranBut(gatewayTimeout)],
  "HTML with 502 after it ran": [ranBut(badGateway)],
  "HTML with 502 and not run": [instead(badGateway)],
  "429 without Retry-After": [instead(rateLimited())],
  "429 with Retry-After: 0": [instead(rateLimited(0))],
  "LOADING and not run": [loading],
  "truncated JSON after it ran": [truncated],
  "connection broken within the answer": [torn],
};

/** Faults that a second attempt overcomes. `timeoutMs` is the caller's limit of an attempt. */
export const transient = (timeoutMs: number): Record<string, readonly Fault[]> => ({
  ...fates(timeoutMs),
  ...answers,
});

/** The faults that each kind meets: in the long form all that the lock meets. */
export const transientOf = (kind: string, timeoutMs: number): Record<string, readonly Fault[]> =>
  kind === "lock" || process.env["EVERY_FAULT"] ? transient(timeoutMs) : fates(timeoutMs);
