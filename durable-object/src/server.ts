import type { Budget, Engine, ErrorReply, KeyChange, Reply } from "leasehold-engine";
import { createAlarm } from "./alarm.ts";
import { createCache, type ObjectServerOptions } from "./cache.ts";

export type { ObjectServerOptions } from "./cache.ts";

/** Commands with one character for each byte. */
export type Commands = readonly (readonly string[])[];

/** The part of Redis that locks need, on the storage of one object. */
export interface ObjectServer {
  /**
   * Runs commands one by one. The changes of each command are stored immediately and atomically. Together they may take
   * about a second, and 32 MB of memory; all others get errors.
   *
   * @throws Error if the storage cannot be read, or if another instance has replaced this object
   */
  run(commands: Commands): Promise<readonly Reply[]>;
  /** Like `run`, as one transaction. */
  transact(commands: Commands): Promise<readonly Reply[] | ErrorReply>;
  /**
   * Runs commands together, without notifying the listener, and returns the last reply. Undoes all of them if `keeps`
   * is false of it.
   */
  tryOut(commands: Commands, keeps: (last: Reply) => boolean): Promise<Reply>;
  /** The number of commands that have written. */
  readonly writes: number;
  /** Removes expired data. An empty object deletes all its storage. */
  alarm(): Promise<void>;
}

/** Called with the commands that wrote, once their changes are stored, and with the written keys. */
type OnWrite = (commands: Commands, keys: readonly string[]) => void;

/** Runs commands that share a budget, and returns the last reply. */
function lastOf(engine: Engine, commands: Commands): Reply {
  const budget = engine.budget();
  return commands.map((words) => engine.run(words, budget)).at(-1) ?? null;
}

/** The time of storing a row, and how many characters are stored in the time of a step. */
const ROW_STEPS = 50;
const STORED_IN_A_STEP = 16;

/** The steps of storing changes: a string or a list is stored as a whole. */
function storingSteps(changes: readonly KeyChange[]): number {
  const steps = changes.map(
    ({ head, members }) => ROW_STEPS * (1 + members.length) + (head?.text.length ?? 0) / STORED_IN_A_STEP,
  );
  return Math.floor(steps.reduce((sum, each) => sum + each, 0));
}

/** Makes the server of an object. Nothing is read or written before the first command. */
export function createObjectServer(
  { storage, now = Date.now, random = Math.random }: ObjectServerOptions,
  onWrite?: OnWrite,
): ObjectServer {
  const cache = createCache({ storage, now, random });
  const alarm = createAlarm(storage, now);
  let writes = 0;

  async function serve<T>(work: () => T): Promise<T> {
    const wasThere = cache.open().tables.exist;
    const result = work();
    await alarm.guard(cache.memory?.tables, wasThere, cache.takeSoonest());
    return result;
  }

  const counted =
    (commands: Commands, tell: OnWrite | undefined, budget?: Budget) =>
    (changes: readonly KeyChange[]): void => {
      writes++;
      budget?.charge(storingSteps(changes));
      tell?.(
        commands,
        changes.map(({ key }) => key),
      );
    };
  /** Runs commands of one request, which share its budget, since nothing else runs meanwhile. */
  function runEach(commands: Commands, tell?: OnWrite): readonly Reply[] {
    const budget = cache.open().engine.budget();
    return commands.map((words) =>
      cache.perform((engine) => engine.run(words, budget), counted([words], tell, budget)),
    );
  }

  return {
    run: (commands) => serve(() => runEach(commands, onWrite)),
    transact: (commands) =>
      serve(() => cache.perform((engine) => engine.transact(commands), counted(commands, onWrite))),
    tryOut: (commands, keeps) =>
      serve(() => cache.perform((engine) => lastOf(engine, commands), counted(commands, undefined), keeps)),
    get writes() {
      return writes;
    },
    async alarm() {
      const left = cache.sweep();
      if (left.count > 0) return alarm.set(left);
      alarm.forget();
      await storage.deleteAll();
    },
  };
}
