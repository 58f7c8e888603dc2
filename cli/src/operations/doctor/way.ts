/** Checks of the connection to the server, each for one cause of failure. */
import { promises as dns } from "node:dns";
import { connect as dial, isIP, type Socket } from "node:net";
import { type TLSSocket, connect as tlsDial } from "node:tls";
import { LeaseholdError } from "../../../../src/shared/errors.ts";
import { ask } from "../ask.ts";
import type { RestEndpoint } from "../target.ts";
import { type Check, type Finding, fail, ok, type Patient, skip, warn } from "./finding.ts";

type Verdicts = Omit<Finding, "check">;

const LIMIT_MS = 5000;
const DAY_MS = 86_400_000;
/** With fewer days left, a certificate should have been renewed. */
const FEW_DAYS = 14;

interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

/** The host of an address, the first of several; undefined for a Unix socket. */
export function endpointOf(address: string): Endpoint | undefined {
  const [, scheme = "", host = "", port] = /^([\w+]+):\/\/(\[[^\]]*\]|[^:/,?]+)(?::(\d+))?/.exec(address) ?? [];
  if (host === "" || scheme === "unix") return undefined;
  const isRest = /^https?$/.test(scheme);
  const isTls = /^(https|rediss)/.test(scheme);
  const usual = isRest ? (isTls ? 443 : 80) : scheme.includes("sentinel") ? 26379 : 6379;
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port ?? usual), isTls };
}

const codeOf = (error: unknown): string => {
  const { code, errors } = Object(error) as { readonly code?: string; readonly errors?: readonly unknown[] };
  return code ?? (errors?.length ? codeOf(errors[0]) : error instanceof Error ? error.name : "failed");
};

const isLoopback = (host: string): boolean => /^(localhost|127\.|::1$)/.test(host);

/** Ends a promise that takes too long. */
async function within<T>(promise: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error("too late"), { code: "time-out" })), limitMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export const name: Check = {
  name: "name",
  isGate: true,
  async run({ address }) {
    const endpoint = endpointOf(address);
    if (!endpoint) return skip("no host to look up");
    const { host } = endpoint;
    if (isIP(host)) return ok(`${host} is an address`);
    const began = performance.now();
    try {
      const found = await within(dns.lookup(host, { all: true }), LIMIT_MS);
      const list = found.map((each) => each.address).join(", ");
      return ok(`${host} is ${list} (${Math.round(performance.now() - began)} ms)`);
    } catch (error) {
      const code = codeOf(error);
      const advice =
        code === "ENOTFOUND"
          ? "check the URL for a typo, and whether the database was deleted"
          : "the name server does not answer: check the network of this machine";
      return fail(`${host} is not found (${code})`, advice);
    }
  },
};

/** Opens a connection, encrypted if the address says so. */
async function reach({ host, port, isTls }: Endpoint): Promise<Socket | TLSSocket> {
  const socket = isTls ? tlsDial({ host, port, ...(isIP(host) ? {} : { servername: host }) }) : dial({ host, port });
  try {
    await within(
      new Promise((resolve, reject) => {
        socket.once(isTls ? "secureConnect" : "connect", resolve);
        socket.once("error", reject);
      }),
      LIMIT_MS,
    );
    return socket;
  } catch (error) {
    socket.on("error", () => {});
    socket.destroy();
    throw error;
  }
}

const REFUSED: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there: check the port, and whether the server runs",
  "time-out": "no answer: a firewall, or a server that hangs",
  ECONNRESET: "the connection was cut: does the address speak TLS, and the URL say https or rediss?",
  EPROTO: "the address does not speak TLS: does the URL have to say http or redis?",
};

export const connection: Check = {
  name: "connection",
  isGate: true,
  async run({ address }) {
    const endpoint = endpointOf(address);
    if (!endpoint) return skip("a socket in the file system");
    const { host, port, isTls } = endpoint;
    const began = performance.now();
    let socket: Socket | TLSSocket;
    try {
      socket = await reach(endpoint);
    } catch (error) {
      const code = codeOf(error);
      const isCertificate = /CERT|SIGN|ISSUER|ALTNAME|VERIFY/.test(code);
      const advice = isCertificate
        ? "the certificate is not trusted: check the host name, and NODE_EXTRA_CA_CERTS for a CA of your own"
        : (REFUSED[code] ?? "check host, port and network");
      return fail(`${host} port ${port}: ${code}`, advice);
    }
    const took = `${Math.round(performance.now() - began)} ms`;
    const certificate = isTls ? (socket as TLSSocket).getPeerCertificate() : undefined;
    const protocol = isTls ? (socket as TLSSocket).getProtocol() : undefined;
    socket.destroy();
    if (!certificate) {
      if (isLoopback(host)) return ok(`open in ${took}, not encrypted, on this machine`);
      return warn(`open in ${took}, not encrypted`, "others on the network can read the token: use TLS");
    }
    const days = Math.floor((Date.parse(certificate.valid_to) - Date.now()) / DAY_MS);
    const says = `${protocol} in ${took}, the certificate is valid for ${days} days`;
    return days < FEW_DAYS ? warn(says, "renew the certificate") : ok(says);
  },
};

/** The headers about a plan's limits, if the server sends any. */
const LIMIT_HEADER = /rate-?limit|quota|retry-after/i;

function limitsOf(headers: Headers): string {
  const limits = [...headers].filter(([header]) => LIMIT_HEADER.test(header));
  return limits.map(([header, value]) => `${header}: ${value}`).join(", ");
}

const SILENT = "the server accepts connections but does not answer: check its log";

/** Sends PING as plain HTTP, to see the status, headers and body, which a client of the protocol would hide. */
async function ping({ url, token }: RestEndpoint, timeoutMs: number): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: '["PING"]',
    signal: AbortSignal.timeout(timeoutMs),
  });
}

/** Judges the answer to a PING over HTTP. */
function judgeAnswer(status: number, body: string, headers: Headers, { scrub }: Patient): Verdicts {
  if (status === 401 || status === 403)
    return fail(`the token is refused (${status})`, "copy URL and token of the same database again");
  if (status === 429) return fail("too many requests (429)", "the plan's limit is reached: wait, or raise it");
  let answer: { readonly result?: unknown; readonly error?: unknown } = {};
  try {
    answer = JSON.parse(body) as typeof answer;
  } catch {
    return fail(
      `${status}, and the answer is not JSON`,
      "this is not a REST endpoint: copy the REST URL, not the console's",
    );
  }
  if (answer.result !== "PONG")
    return fail(`PING gets ${status} ${scrub(String(answer.error ?? ""))}`.trim(), "check the server's log");
  const limits = limitsOf(headers);
  return ok(`the token is accepted${limits && `; limits: ${limits}`}`);
}

async function loginOverHttp(patient: Patient, rest: RestEndpoint): Promise<Verdicts> {
  const { requestTimeoutMs } = patient.connection;
  try {
    // Retried once, since a kept-open connection may have been closed.
    const response = await ping(rest, requestTimeoutMs).catch(() => ping(rest, requestTimeoutMs));
    return judgeAnswer(response.status, await response.text(), response.headers, patient);
  } catch (error) {
    const { cause = error } = Object(error) as { readonly cause?: unknown };
    return fail(`no answer to PING (${codeOf(cause)})`, SILENT);
  }
}

async function loginOverTcp({ connection, signal, scrub }: Patient): Promise<Verdicts> {
  try {
    const answer = await ask(connection, ["PING"], signal);
    return answer === "PONG" ? ok("the login is accepted") : fail(`PING gets ${scrub(String(answer))}`, SILENT);
  } catch (error) {
    if (!(error instanceof LeaseholdError)) throw error;
    const says = scrub(error.message);
    if (error.code === "unauthorized") return fail(`the login is refused: ${says}`, "check user and password");
    return fail(says, "the port is open, so it may be the login: check user and password, and rediss:// for TLS");
  }
}

export const login: Check = {
  name: "token",
  isGate: true,
  run: (patient) => (patient.rest ? loginOverHttp(patient, patient.rest) : loginOverTcp(patient)),
};
