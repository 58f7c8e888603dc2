/**
 * Just-in-time linearization, after Lowe, "Testing for linearizability" (2017). The history is read in order of time,
 * with every configuration that explains it so far: the state, and which of the open calls have taken effect. A call
 * takes effect as late as possible: when its own return, or another call's, requires it.
 *
 * Two things are added to the paper. A state may change without a call, as when a lease expires. And a state carries
 * times, the earliest at which it can exist: of two states that differ only in their times, the earlier one permits
 * everything that the later one permits, so the later one is dropped. A configuration that another one can still become
 * is dropped as well.
 */

/** A call of the history, with its effect on a state. */
export interface Call<S, O> {
  readonly operation: O;
  readonly call: number;
  /** Infinity if it never returned. It may then take effect at any later time, or never. */
  readonly ret: number;
  /** Whether it may return without having taken effect. */
  mayBeSkipped(state: S): boolean;
  /** The possible states after it; empty if it is impossible. It must happen by the time `latest`. */
  step(state: S, latest: number): readonly S[];
}

export interface Game<S, O> {
  readonly initial: S;
  readonly calls: readonly Call<S, O>[];
  /** Everything about a state but its times. */
  keyOf(state: S): string;
  /** The times of a state; those of two states with one key have the same length. */
  timesOf(state: S): readonly number[];
  /** The changes of a state that can happen without a call, by the time `latest`. */
  drift(state: S, latest: number): readonly S[];
}

export interface Finding<S, O> {
  /** `undecided`: the search reached a limit. */
  readonly verdict: "explained" | "unexplained" | "undecided";
  /** The number of configurations visited. */
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

interface Ranked<S> extends Configuration<S> {
  readonly times: readonly number[];
}

/** How much a search may do before it is given up. */
export interface Limits {
  /** The configurations that it visits. */
  readonly configurations: number;
  /** The comparisons of two configurations, which take most of the time. */
  readonly comparisons: number;
}

/** Signals that a limit was reached. */
class TooMany extends Error {}

/** The work of one search. */
class Effort {
  configurations = 0;
  #comparisons = 0;
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** @throws {TooMany} */
  visit(): void {
    this.configurations++;
    if (this.configurations > this.#limits.configurations) throw new TooMany();
  }

  /** @throws {TooMany} */
  compare(count: number): void {
    this.#comparisons += count;
    if (this.#comparisons > this.#limits.comparisons) throw new TooMany();
  }
}

/** Configurations, none of which permits everything that another one permits. */
class Frontier<S, O> {
  readonly #game: Game<S, O>;
  readonly #effort: Effort;
  /** The bits of calls that never return: such a call may still take effect, but need not. */
  readonly #forever: bigint;
  readonly #byKey = new Map<string, Ranked<S>[]>();

  constructor({ game, forever, effort }: Search<S, O>) {
    this.#game = game;
    this.#forever = forever;
    this.#effort = effort;
  }

  #permitsAll(a: Ranked<S>, b: Ranked<S>): boolean {
    if ((a.done & this.#forever & ~b.done) !== 0n) return false;
    return a.times.every((time, index) => time <= (b.times[index] as number));
  }

  #rank({ state, done }: Configuration<S>): { readonly key: string; readonly ranked: Ranked<S> } {
    const key = `${done & ~this.#forever} ${this.#game.keyOf(state)}`;
    return { key, ranked: { state, done, times: this.#game.timesOf(state) } };
  }

  /** Adds a configuration. Returns false if another one permits everything that this one permits. */
  add(configuration: Configuration<S>): boolean {
    const { key, ranked } = this.#rank(configuration);
    const others = this.#byKey.get(key) ?? [];
    this.#effort.compare(others.length);
    if (others.some((other) => this.#permitsAll(other, ranked))) return false;
    this.#byKey.set(key, [...others.filter((other) => !this.#permitsAll(ranked, other)), ranked]);
    return true;
  }

  /** Drops the configurations that permit nothing beyond this one. */
  drop(configuration: Configuration<S>): void {
    const { key, ranked } = this.#rank(configuration);
    const others = this.#byKey.get(key) ?? [];
    this.#effort.compare(others.length);
    this.#byKey.set(
      key,
      others.filter((other) => !this.#permitsAll(ranked, other)),
    );
  }

  all(): readonly Configuration<S>[] {
    return [...this.#byKey.values()].flat();
  }
}

interface Event<S, O> {
  readonly time: number;
  readonly isReturn: boolean;
  readonly index: number;
  readonly call: Call<S, O>;
}

/** Calls and returns in order of time. At equal times calls come first, since the operations overlap. */
function eventsOf<S, O>(calls: readonly Call<S, O>[]): readonly Event<S, O>[] {
  const events = calls.flatMap((call, index) => [
    { time: call.call, isReturn: false, index, call },
    ...(call.ret === Infinity ? [] : [{ time: call.ret, isReturn: true, index, call }]),
  ]);
  return events.sort((a, b) => a.time - b.time || Number(a.isReturn) - Number(b.isReturn) || a.index - b.index);
}

const bitOf = (index: number): bigint => 1n << BigInt(index);

interface Search<S, O> {
  readonly game: Game<S, O>;
  readonly open: ReadonlyMap<number, Call<S, O>>;
  readonly forever: bigint;
  readonly effort: Effort;
}

/** The configurations reachable in one step by the time `time`, without the call `except`. */
function successorsOf<S, O>(
  { game, open }: Search<S, O>,
  { state, done }: Configuration<S>,
  { time, index: except }: Event<S, O>,
): Configuration<S>[] {
  const successors = game.drift(state, time).map((drifted) => ({ state: drifted, done }));
  for (const [index, { step }] of open) {
    const bit = bitOf(index);
    if (index === except || done & bit) continue;
    for (const stepped of step(state, time)) successors.push({ state: stepped, done: done | bit });
  }
  return successors;
}

/** The configurations after a return. */
function afterReturn<S, O>(
  search: Search<S, O>,
  event: Event<S, O>,
  before: readonly Configuration<S>[],
): readonly Configuration<S>[] {
  const { effort } = search;
  const { time, index, call } = event;
  const own = bitOf(index);
  const after = new Frontier(search);
  const seen = new Frontier(search);
  const waiting: Configuration<S>[] = [];
  for (const configuration of before) {
    const { state, done } = configuration;
    if (done & own) after.add({ state, done: done & ~own });
    else if (seen.add(configuration)) waiting.push(configuration);
  }
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    effort.visit();
    const { state, done } = next;
    if (call.mayBeSkipped(state)) after.add(next);
    for (const stepped of call.step(state, time)) after.add({ state: stepped, done });
    for (const further of successorsOf(search, next, event)) if (seen.add(further)) waiting.push(further);
  }
  // A configuration that another one can still become need not be kept.
  for (const configuration of after.all())
    for (const further of successorsOf(search, configuration, event)) after.drop(further);
  return after.all();
}

/** Judges a history. */
export function linearize<S, O>(game: Game<S, O>, limits: Limits): Finding<S, O> {
  const open = new Map<number, Call<S, O>>();
  let configurations: readonly Configuration<S>[] = [{ state: game.initial, done: 0n }];
  const effort = new Effort(limits);
  const forever = game.calls.reduce((bits, { ret }, index) => (ret === Infinity ? bits | bitOf(index) : bits), 0n);
  const search: Search<S, O> = { game, open, forever, effort };
  for (const event of eventsOf(game.calls)) {
    const { isReturn, index, call } = event;
    if (!isReturn) {
      open.set(index, call);
      continue;
    }
    let after: readonly Configuration<S>[];
    try {
      after = afterReturn(search, event, configurations);
    } catch (error) {
      if (!(error instanceof TooMany)) throw error;
      return { verdict: "undecided", configurations: effort.configurations, states: [], open: [] };
    }
    if (after.length === 0) {
      const states = configurations.map(({ state }) => state);
      const operations = [...open.values()].map(({ operation }) => operation);
      return {
        verdict: "unexplained",
        configurations: effort.configurations,
        at: call.operation,
        states,
        open: operations,
      };
    }
    configurations = after;
    open.delete(index);
  }
  return { verdict: "explained", configurations: effort.configurations, states: [], open: [] };
}
