import type { Commands } from "leasehold-engine/rest";
import { nameIn } from "./record.ts";

/** The purpose of a request of leasehold. */
export type Operation =
  | "acquire"
  | "extend"
  | "verify"
  | "release"
  | "cancel"
  | "complete"
  | "force"
  | "inspect"
  | "commit"
  | "set"
  | "countDown"
  | "write"
  | "call"
  | "read"
  | "script"
  | "command";

/** The purposes of requests of leasehold. */
export const OPERATIONS: readonly Operation[] = [
  ...(["acquire", "extend", "verify", "release", "cancel", "complete", "force", "inspect", "commit"] as const),
  ...(["set", "countDown", "write", "call", "read", "script", "command"] as const),
];

/** Scripts are recognised by their replies. The first match counts. */
const REPLIES: readonly (readonly [reply: string, operation: Operation])[] = [
  ["granted", "acquire"],
  ["extended", "extend"],
  ["completed", "complete"],
  ["committed", "commit"],
  ["closed", "release"],
  ["called", "call"],
  ["written", "write"],
  ["seen", "read"],
  ["live", "inspect"],
  ["left", "countDown"],
  ["forced", "force"],
  ["set", "set"],
  ["done", "set"],
];

const operationOf = (text: string): Operation =>
  REPLIES.find(([reply]) => new RegExp(`return ?\\{ ?'${reply}'`).test(text))?.[1] ?? "script";

/** A request: its purpose and its name. */
export interface Purpose {
  readonly operation: Operation;
  readonly name: string | undefined;
}

/** Finds the purpose of requests. It learns the texts of scripts from the requests that send them. */
export function createPurposes(prefix: string, sha1: (text: string) => string): (commands: Commands) => Purpose {
  const known = new Map<string, Operation>();

  function learn(text: string): string {
    const sha = sha1(text);
    if (!known.has(sha)) known.set(sha, operationOf(text));
    return sha;
  }

  function refine(operation: Operation, args: readonly string[]): Operation {
    // A close sends the token of its hold, or 0 to cancel; an extension by 0 only verifies.
    if (operation === "release" && args[1] === "0") return "cancel";
    return operation === "extend" && args[3] === "0" ? "verify" : operation;
  }

  return ([first = []]) => {
    const [verb = "", text = "", count = "", ...rest] = first;
    if (!/^EVAL(SHA)?(_RO)?$/i.test(verb)) return { operation: "command", name: undefined };
    const sha = /SHA/i.test(verb) ? text.toLowerCase() : learn(text);
    const keys = Number(count);
    const operation = known.get(sha) ?? "script";
    return { operation: refine(operation, rest.slice(keys)), name: nameIn(rest[0] ?? "", prefix) };
  };
}
