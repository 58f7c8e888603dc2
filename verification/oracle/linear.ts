/**
 * Just-in-time linearization, after Lowe, "Testing for linearizability" (2017). The history is read in the order of
 * time, with every configuration that explains it so far: the state, and which of the open calls have taken effect. A
 * call takes effect as late as possible, when its own return, or that of another call, needs it.
 *
 * Two things are added to the paper. A state may change without a call, as when a lease expires. And a state carries
 * times, the earliest at which it can exist: of two states that differ only in their times, the earlier one permits
 * everything that the later one permits, so the later one is dropped.
 */

/** A call of the history, and what it does to a state. */
export interface Call<S, O> {
  readonly operation: O;
  readonly call: number;
  /** Infinity if it never returned. It may then take effect at any later time, or never. */
  readonly ret: number;
  /** Whether it may return without having taken effect. */
  mayBeSkipped(state: S): boolean;
  /** The states after it, none where it is impossible. It has to happen by the time `latest`. */
  step(state: S, latest: number): readonly S[];
}

export interface Game<S, O> {
  readonly initial: S;
  readonly calls: readonly Call<S, O>[];
  /** Everything about a state but its times. */
  keyOf(state: S): string;
  /** The times of a state; those of two states with one key have the same length. */
  timesOf(state: S): readonly number[];
  /** What may happen to a state without a call, by the time `latest`. */
  drift(state: S, latest: number): readonly S[];
}

export interface Finding<S, O> {
  /** `undecided`: there were more configurations than allowed. */
  readonly verdict: "explained" | "unexplained" | "undecided";
  /** How many configurations were looked at. */
  readonly configurations: number;
  /** The operation whose return no configuration allows. */
  readonly at?: O;
  /** The states that were possible before that return. */
  readonly states: readonly S[];
  /** The operations that were open at that return. */
  readonly open: readonly O[];
}

interface Configuration<S> {
  readonly state: S;
  /** One bit for each call that has taken effect and has not returned, by its place in the list of calls. */
  readonly done: bigint;
}

/** Configurations of which none permits all that another one permits. */
class Frontier<S, O> {
  readonly #game: Game<S, O>;
  readonly #byKey = new Map<string, Configuration<S>[]>();

  constructor(game: Game<S, O>) {
    this.#game = game;
  }

  /** Adds a configuration. Returns false if another one permits all that this one does. */
  add(configuration: Configuration<S>): boolean {
    const { state, done } = configuration;
    const key = `${done} ${this.#game.keyOf(state)}`;
    const times = this.#game.timesOf(state);
    const others = this.#byKey.get(key) ?? [];
    const isNoLater = (a: readonly number[], b: readonly number[]): boolean =>
      a.every((time, index) => time <= (b[index] as number));
    if (others.some((other) => isNoLater(this.#game.timesOf(other.state), times))) return false;
    const kept = others.filter((other) => !isNoLater(times, this.#game.timesOf(other.state)));
    this.#byKey.set(key, [...kept, configuration]);
    return true;
  }

  all(): Configuration<S>[] {
    return [...this.#byKey.values()].flat();
  }
}

interface Event<S, O> {
  readonly time: number;
  readonly isReturn: boolean;
  readonly index: number;
  readonly call: Call<S, O>;
}

/** Calls and returns in the order of time. Two at the same time overlap, so calls come first. */
function eventsOf<S, O>(calls: readonly Call<S, O>[]): readonly Event<S, O>[] {
  const events = calls.flatMap((call, index) => [
    { time: call.call, isReturn: false, index, call },
    ...(call.ret === Infinity ? [] : [{ time: call.ret, isReturn: true, index, call }]),
  ]);
  return events.sort((a, b) => a.time - b.time || Number(a.isReturn) - Number(b.isReturn) || a.index - b.index);
}

const bitOf = (index: number): bigint => 1n << BigInt(index);

/** Signals that the limit was reached. */
class TooMany extends Error {}

/** The configurations after a return. `count` is called for each one that is looked at. */
function afterReturn<S, O>(
  game: Game<S, O>,
  { time, index, call }: Event<S, O>,
  before: readonly Configuration<S>[],
  open: ReadonlyMap<number, Call<S, O>>,
  count: () => void,
): Configuration<S>[] {
  const own = bitOf(index);
  const after = new Frontier(game);
  const seen = new Frontier(game);
  const waiting: Configuration<S>[] = [];
  for (const configuration of before) {
    const { state, done } = configuration;
    if (done & own) after.add({ state, done: done & ~own });
    else if (seen.add(configuration)) waiting.push(configuration);
    if (!(done & own) && call.mayBeSkipped(state)) after.add(configuration);
  }
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    count();
    const { state, done } = next;
    for (const stepped of call.step(state, time)) after.add({ state: stepped, done });
    const further = game.drift(state, time).map((drifted) => ({ state: drifted, done }));
    for (const [other, { step }] of open) {
      const bit = bitOf(other);
      if (other === index || done & bit) continue;
      for (const stepped of step(state, time)) further.push({ state: stepped, done: done | bit });
    }
    for (const configuration of further) if (seen.add(configuration)) waiting.push(configuration);
  }
  return after.all();
}

/** Judges a history. `most` bounds the configurations that are looked at. */
export function linearize<S, O>(game: Game<S, O>, most: number): Finding<S, O> {
  const open = new Map<number, Call<S, O>>();
  let configurations: Configuration<S>[] = [{ state: game.initial, done: 0n }];
  let looked = 0;
  const count = (): void => {
    looked++;
    if (looked > most) throw new TooMany();
  };
  for (const event of eventsOf(game.calls)) {
    const { isReturn, index, call } = event;
    if (!isReturn) {
      open.set(index, call);
      continue;
    }
    let after: Configuration<S>[];
    try {
      after = afterReturn(game, event, configurations, open, count);
    } catch (error) {
      if (!(error instanceof TooMany)) throw error;
      return { verdict: "undecided", configurations: looked, states: [], open: [] };
    }
    if (after.length === 0) {
      const states = configurations.map(({ state }) => state);
      const operations = [...open.values()].map(({ operation }) => operation);
      return { verdict: "unexplained", configurations: looked, at: call.operation, states, open: operations };
    }
    configurations = after;
    open.delete(index);
  }
  return { verdict: "explained", configurations: looked, states: [], open: [] };
}
