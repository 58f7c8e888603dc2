/** Checks of proxies between client and server: whether they repeat requests, and how long they let a request wait. */
import { lock } from "../../../../src/kinds/lock.ts";
import type { Connection } from "../../../../src/redis/connect.ts";
import type { Outcome as Attempt, Port } from "../../../../src/redis/port.ts";
import { LeaseholdError } from "../../../../src/shared/errors.ts";
import { ask } from "../ask.ts";
import { privateConnection } from "../private.ts";
import type { RestEndpoint } from "../target.ts";
import { type Check, ok, type Patient, skip, warn } from "./finding.ts";
import { adviceOn } from "./refusals.ts";

const TIMES = 10;
const KEY_MS = 60_000;
/** The default time of a held request; a longer time-out would only prolong the examination. */
const LONGEST_TIMEOUT_MS = 5000;
const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Adds one, in both forms of the protocol. */
async function increment({ url, token }: RestEndpoint, key: string, isPost: boolean, timeoutMs: number) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const signal = AbortSignal.timeout(timeoutMs);
  const path = `${url.replace(/\/$/, "")}/incr/${encodeURIComponent(key)}`;
  const response = isPost
    ? await fetch(url, { method: "POST", headers, body: JSON.stringify(["INCR", key]), signal })
    : await fetch(path, { headers, signal });
  await response.body?.cancel();
  return response.ok;
}

/** The number of requests that ran; undefined if the server refuses them. */
async function countRuns(patient: Patient, rest: RestEndpoint): Promise<number | undefined> {
  const connection = privateConnection(patient, "doctor", patient.connection.port);
  const key = `${connection.prefix}repeats`;
  await ask(connection, ["SET", key, 0, "PX", KEY_MS], patient.signal);
  try {
    for (let n = 0; n < 2 * TIMES; n++) {
      patient.signal?.throwIfAborted();
      if (!(await increment(rest, key, n < TIMES, connection.requestTimeoutMs))) return undefined;
    }
    return Number(await ask(connection, ["GET", key], patient.signal));
  } finally {
    await ask(connection, ["DEL", key]).catch(() => undefined);
  }
}

export const repeats: Check = {
  name: "repeats",
  async run(patient) {
    const { rest, signal, scrub } = patient;
    if (rest === undefined) return skip("over TCP there is no proxy");
    try {
      const runs = await countRuns(patient, rest);
      if (runs === undefined) return skip("the server refuses INCR");
      if (runs === 2 * TIMES) return ok(`${runs} requests ran ${runs} times`);
      const says = `${2 * TIMES} requests ran ${runs} times: a proxy repeats them`;
      return warn(says, "locks are safe, your own INCR is not: turn off the proxy's retries");
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof LeaseholdError && error.code === "unauthorized")
        return warn(scrub(error.message), adviceOn(error));
      return warn(
        scrub(error instanceof Error ? error.message : "failed"),
        "run the doctor again when the connection is stable",
      );
    }
  },
};

/** The first request that a server was asked to hold. */
interface Held {
  readonly askedMs: number;
  readonly tookMs: number;
  readonly attempt: Attempt;
}

interface Watch {
  readonly connection: Connection;
  /** Aborted when the first request that may be held has ended. */
  readonly ended: AbortSignal;
  first(): Held | undefined;
}

/** A connection that records the outcome of the first request that may be held. */
function watch(patient: Patient): Watch {
  let first: Held | undefined;
  const ended = new AbortController();
  const { port } = patient.connection;
  const watched: Port = async (command, signal, behind, holdMs = 0) => {
    const began = performance.now();
    const attempt = await port(command, signal, behind, holdMs);
    if (holdMs > 0 && first === undefined) {
      first = { askedMs: holdMs, tookMs: performance.now() - began, attempt };
      ended.abort();
    }
    return attempt;
  };
  const { requestTimeoutMs } = patient.connection;
  const capped = { ...patient.connection, requestTimeoutMs: Math.min(requestTimeoutMs, LONGEST_TIMEOUT_MS) };
  const connection = privateConnection({ ...patient, connection: capped }, "doctor", watched);
  return { connection, ended: ended.signal, first: () => first };
}

function judge(held: Held | undefined) {
  if (held === undefined) return skip("no request was long enough to be held");
  const { askedMs, tookMs, attempt } = held;
  if (attempt.type !== "answered") {
    const says = `a request that may be held for ${inSeconds(askedMs)} ended after ${inSeconds(tookMs)}: ${attempt.error}`;
    return warn(says, "waiters poll instead: let the proxy wait longer than `requestTimeout` for an answer");
  }
  if (attempt.parkedMs === undefined) return skip("the server does not hold requests: waiters poll");
  return ok(`a waiter's request is held for ${inSeconds(tookMs)}, as requested`);
}

export const heldRequests: Check = {
  name: "held requests",
  async run(patient) {
    if (patient.rest === undefined) return skip("over TCP no request is held: waiters poll");
    const { connection, ended, first } = watch(patient);
    const { requestTimeoutMs } = connection;
    const name = lock(connection, "held", { lease: 8 * requestTimeoutMs });
    const lease = await name.acquire({ wait: 0 });
    const signal = patient.signal === undefined ? ended : AbortSignal.any([ended, patient.signal]);
    try {
      // Long enough for one request to use all of its time.
      await name.acquire({ wait: 4 * requestTimeoutMs, signal });
    } catch (error) {
      patient.signal?.throwIfAborted();
      // The lease above holds it, so only the end of the first request matters.
      if (!(ended.aborted || error instanceof LeaseholdError)) throw error;
    } finally {
      await lease.release();
      await ask(connection, ["DEL", `${connection.prefix}{held}`]);
    }
    const finding = judge(first());
    return { ...finding, says: patient.scrub(finding.says) };
  },
};
