/** Histories in a file: a line of JSON for each name. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Operation } from "../histories/history.ts";
import type { Promised, Used } from "./judge.ts";

/** The operations on one name, and the servers. */
export interface Recorded {
  readonly name: string;
  readonly workload: Used;
  readonly site: Promised & { readonly name: string };
  readonly history: readonly Operation[];
}

/** JSON cannot express Infinity: an operation that never returned has null. */
export const toLine = ({ name, workload, site, history }: Recorded): string => {
  const { isStrict, keepsData } = site;
  return JSON.stringify({ name, workload, site: { name: site.name, isStrict, keepsData }, history });
};

function fromLine(line: string): Recorded {
  const recorded = JSON.parse(line) as Recorded;
  const history = recorded.history.map((operation) => ({ ...operation, ret: operation.ret ?? Infinity }));
  return { ...recorded, history };
}

/** Reads the histories of a file. */
export async function* readLines(file: string): AsyncGenerator<Recorded> {
  for await (const line of createInterface({ input: createReadStream(file) })) if (line !== "") yield fromLine(line);
}
