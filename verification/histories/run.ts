/** Runs stories for a while, and judges them after the faults have ended. */
import type { Verdict } from "./checker.ts";
import { type Client, isOverTcp, nameOf, type Runtime } from "./clients.ts";
import { createCrowd } from "./crowd.ts";
import { createRandom } from "./random.ts";
import { play, type Story } from "./story.ts";
import type { Theatre } from "./theatre.ts";
import { judge, type Workload } from "./workloads.ts";

export interface Judged extends Story {
  readonly verdict: Verdict;
}

export interface Round {
  readonly operations: number;
  /** Operations whose outcome remained unknown. */
  readonly unknown: number;
  /** Operations without a result: the unknown ones, and those that failed with an error. */
  readonly unanswered: number;
  readonly stories: number;
  readonly seconds: number;
  /** Stories that are not linearizable, and undecided ones. */
  readonly bad: readonly Judged[];
  readonly errors: readonly string[];
  /** The number of messages that clients heard while a caller waited. */
  readonly heard: number;
  /** The number of operations of each kind of story. */
  readonly perWorkload: Readonly<Record<string, number>>;
  /** The number of operations of each runtime, by its name and version. */
  readonly perRuntime: Readonly<Record<string, number>>;
}

export interface RoundOptions {
  readonly workloads: Readonly<Record<string, Workload>>;
  /** The minimum duration. */
  readonly seconds: number;
  /** The minimum number of operations, however slow the machine is. 0 by default. */
  readonly atLeast?: number;
  /** The maximum number of concurrent stories. */
  readonly atOnce: number;
  readonly seed: number;
}

/** The share of callers that wait, of kinds that can. */
const WAITING = 0.15;
/** In ms: so short that many expire while their holders are frozen. */
const LEASES = [200, 500, 1000];

let ids = 0;

/** The count of each word. */
function tally(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

export async function playRound(theatre: Theatre, options: RoundOptions): Promise<Round> {
  const { workloads, seconds, atLeast = 0, atOnce, seed } = options;
  const random = createRandom(seed);
  const start = performance.now();
  const first = ids;
  const isOver = (): boolean => performance.now() - start > seconds * 1000 && ids - first >= atLeast;
  // The TCP clients are so much cheaper that they may do most of the work.
  const clients = theatre.clients.flatMap((client) =>
    Array<Client>(isOverTcp(client.name.split(" ", 1)[0] as string) ? 8 : 1).fill(client),
  );
  const { waiting = WAITING, leases = LEASES } = theatre.site;
  const stage = { clients, random, waiting, leases, nextId: () => ++ids, isOver };
  const stories: (Story & { readonly kind: string })[] = [];
  const names = Object.keys(workloads);
  const crowd = createCrowd(atOnce, theatre.site.atOnce);

  async function lane(first: number): Promise<void> {
    for (let turn = first; !isOver(); turn++) {
      const kind = names[turn % names.length] as string;
      await crowd.enter();
      const story = await play(`${kind} ${seed} ${++ids}`, workloads[kind] as Workload, stage);
      crowd.leave(story);
      stories.push({ ...story, kind });
    }
  }

  const lanes = Array.from({ length: atOnce }, (_, index) => lane(index));
  await Promise.all([theatre.torment(createRandom(seed + 1), isOver), ...lanes]);
  const judged = stories.map((story) => ({ ...story, verdict: judge(story.workload, story.history, theatre.site) }));
  const operations = stories.flatMap(({ history }) => history);
  return {
    operations: operations.length,
    unknown: operations.filter(({ status }) => status === "unknown").length,
    unanswered: stories.reduce((total, story) => total + story.unanswered, 0),
    stories: stories.length,
    seconds: (performance.now() - start) / 1000,
    bad: judged.filter(({ verdict }) => verdict.verdict !== "linearizable"),
    errors: stories.flatMap(({ errors }) => errors),
    heard: stories.reduce((total, story) => total + story.heard, 0),
    perWorkload: tally(stories.flatMap(({ kind, history }) => history.map(() => kind))),
    perRuntime: Object.fromEntries(
      Object.entries(tally(operations.map(({ client }) => client.split(" ", 1)[0] as string))).map(
        ([runtime, count]) => [nameOf(runtime as Runtime), count],
      ),
    ),
  };
}
