/** The words of the page. Names are shown without their prefix. */
import type { Fate, Finding, Hold, Pause, Picture, ShownCall, ShownRequest } from "../picture.ts";

/** A time since the start of the run, in seconds. */
export const time = (ms: number): string => `${(ms / 1000).toFixed(3)} s`;

/** A duration. */
const duration = (ms: number): string =>
  ms < 10 ? `${ms.toFixed(1)} ms` : ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`;

/** The last digits of a token; those before are the same for hours. */
export const short = (token: number): string => (token > 1e9 ? `…${`${token}`.slice(-6)}` : `${token}`);

/** `s0/leasehold:{n0}` as `n0`, with the server if there are several. */
export function nameOf(full: string, { servers }: { readonly servers: number }): string {
  const [server = ""] = full.split("/", 1);
  const key = full.slice(server.length + 1).replace(/^leasehold:\{([^}]*)\}\/?/, (_, tag: string) => `${tag} `);
  return `${key.trim()}${servers > 1 ? ` on ${server}` : ""}`;
}

export const serversOf = ({ names }: Picture): number => new Set(names.map((name) => name.split("/", 1)[0])).size;

export const workerOf = (call: string | undefined): string => call?.split(":", 1)[0] ?? "nobody";

const OUTCOMES: Readonly<Record<string, string>> = {
  lease: "it gets a lease",
  null: "it gets nothing",
  true: "done",
  undefined: "done",
  aborted: "it was given up",
};

export const outcomeOf = ({ outcome }: ShownCall): string => OUTCOMES[outcome] ?? `it ends with ${outcome}`;

export const isFailed = ({ outcome }: ShownCall): boolean => /^[a-z]+_|Error|never/.test(outcome);

const FATES: Readonly<Record<Fate, string>> = {
  answered: "answered",
  lost: "it or its answer is lost",
  late: "it or its answer is late",
  twice: "it arrives twice",
  refused: "answered with an error",
};

export const aboutCall = (call: ShownCall): string =>
  `${time(call.from)}: ${workerOf(call.id)} ${call.what}. After ${duration(call.to - call.from)}: ${outcomeOf(call)}.`;

export function aboutRequest(request: ShownRequest, servers: number): string {
  const { sentAt, arrivedAt, statuses, endedAt, ending, server, script, call, name, fate } = request;
  const arrivals =
    arrivedAt.length === 0
      ? "It never arrives."
      : `It arrives after ${arrivedAt.map((at) => duration(at - sentAt)).join(" and ")}; the server answers ${statuses.map((status) => `“${status}”`).join(", then ") || "with an error"}.`;
  return `${time(sentAt)}: ${workerOf(call)} sends ${script} for ${nameOf(name, { servers })} to ${server} (${FATES[fate]}). ${arrivals} After ${duration(endedAt - sentAt)}, the worker gets ${ending}.`;
}

export const aboutHold = ({ name, call, token, from, to, ending }: Hold, servers: number): string =>
  `${time(from)}: ${workerOf(call)} holds ${nameOf(name, { servers })} under token ${token} for ${duration(to - from)}. It is ${ending}.`;

export function aboutPause({ host, from, to, state, server }: Pause): string {
  const length = duration(to - from);
  const states: Readonly<Record<Pause["state"], string>> = {
    frozen: `is frozen for ${length}. Its workers notice nothing meanwhile`,
    asleep: `is asleep for ${length}, with a stopped clock. Its workers notice nothing meanwhile`,
    crashed: "has crashed, with all its workers",
    "cut off": `and server ${server} do not reach each other for ${length}: requests and answers are lost`,
  };
  return `${time(from)}: host ${host} ${states[state]}.`;
}

export const aboutFinding = ({ at, rule, text, excuse }: Finding, servers: number): string =>
  excuse === undefined
    ? `${time(at)}: the rule “${rule}” is broken: ${plain(text, servers)}`
    : `${time(at)}: not a fault, but as documented (“${excuse}”): ${plain(text, servers)}`;

/** A text of the checks, with names as they are shown. */
export const plain = (text: string, servers: number): string =>
  text.replace(/s\d+\/leasehold:\{[^}]*\}(?:\/[\w ]+)?/g, (full) => nameOf(full, { servers }));
