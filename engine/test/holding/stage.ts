import { type BuiltScript, buildAll } from "../../../tools/lua-scripts.ts";
import {
  createWaitingRoom,
  type Held,
  type RoomEvent,
  type WaitableCall,
  type WaitingRoomOptions,
  waitableCall,
} from "../../src/holding/index.ts";
import { createEngine, createScriptCache } from "../../src/index.ts";

const scripts: ReadonlyMap<string, BuiltScript> = new Map(buildAll().map((script) => [script.name, script]));

/** All scripts, compiled once for all stages. */
const loaded = createScriptCache("redis");
const loading = createEngine({ dialect: "redis", now: () => 0, random: () => 0.5, scripts: loaded });
for (const { lua } of scripts.values()) loading.run(["SCRIPT", "LOAD", lua]);

/** The arguments of a script by name; `notAfter` is added from the time of the request. */
export type Args = Readonly<Record<string, string | number>>;

export interface Asking {
  /** How long the request is valid, and how long it may be held. Default 5 s, 4 s. */
  readonly validMs?: number;
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
  readonly owner?: string;
}

/** The answer to a request, once it is there. */
export interface Asked {
  /** The last reply; undefined while the request is held. */
  reply: readonly unknown[] | undefined;
  /** How it ended in the room; undefined where it was not held. */
  held: Held<unknown> | undefined;
  error: unknown;
  /** When the answer came, in ms. */
  at: number;
  status(): string | undefined;
}

const idOf = (name: string): string => name.padStart(36, "0");

/** A server with a waiting room, in virtual time; `make` makes the room. */
export function createStage(options: Partial<WaitingRoomOptions> = {}, make = createWaitingRoom) {
  let time = 1_800_000_000_000;
  let latencyMs = 0;
  /** How far the server's clock was set; that of the room never is. */
  let steppedMs = 0;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  const events: RoomEvent[] = [];
  const runs: string[] = [];
  /** What happens to the next runs of the room, in place of the script. */
  const accidents: (() => unknown)[] = [];
  const engine = createEngine({ dialect: "redis", now: () => time + steppedMs, random: () => 0.5, scripts: loaded });
  const after = (ms: number, callback: () => void): (() => void) => {
    // A real timer with such a time fires at once.
    if (!Number.isFinite(ms)) throw new RangeError(`a timer of ${ms} ms`);
    const timer = { at: time + Math.max(ms, 0), callback };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  const room = make({ now: () => time, after, onEvent: (event) => events.push(event), ...options });

  /** Lets all promises go on that wait for no timer. */
  async function settle(): Promise<void> {
    for (let turns = 0; turns < 60; turns++) await Promise.resolve();
  }

  function words(script: string, keys: readonly string[], args: Args, validMs: number): string[] {
    const built = scripts.get(script);
    if (!built) throw new Error(`no script ${script}`);
    const given: Args = {
      notAfter: String((time + steppedMs + validMs) * 1000),
      retention: 60_000,
      listens: 0,
      ownPace: 0,
      ...args,
    };
    const values = built.args.flatMap((name) => {
      const value = given[name];
      if (value === undefined) throw new Error(`${script} needs ${name}`);
      return name.endsWith("…") ? String(value).split(" ") : String(value);
    });
    return ["EVALSHA", built.sha[0], String(keys.length), ...keys, ...values];
  }

  function run(list: readonly string[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        const accident = accidents.shift();
        try {
          resolve(accident ? accident() : engine.run(list));
        } catch (error) {
          reject(error);
        }
      };
      if (latencyMs > 0) after(latencyMs, go);
      else go();
    });
  }

  const stage = {
    room,
    events,
    /** The scripts that the room ran, by name. */
    runs,
    accidents,
    get now() {
      return time;
    },
    /** Sets the server's clock, by so much. */
    step(ms: number): void {
      steppedMs += ms;
    },
    setLatency(ms: number): void {
      latencyMs = ms;
    },
    settle,
    /** Sends a request that may be held. */
    ask(script: string, keys: readonly string[], args: Args, asking: Asking = {}): Asked {
      const { validMs = 5000, waitMs = 4000, signal, owner } = asking;
      const list = words(script, keys, args, validMs);
      const call = waitableCall(list);
      if (!call) throw new Error(`${script} is not waitable`);
      const asked: Asked = { reply: undefined, held: undefined, error: undefined, at: 0, status: () => undefined };
      asked.status = () => asked.reply?.[0] as string | undefined;
      const answered = (reply: unknown, held?: Held<unknown>): void => {
        Object.assign(asked, { reply, held, at: time });
      };
      const reply = engine.run(list);
      const again = (next: readonly string[]): Promise<unknown> => {
        runs.push(script);
        return run([...list.slice(0, 3 + keys.length), ...next]);
      };
      const held = room.hold({ ...call, reply: reply as unknown, waitMs, run: again, signal, owner });
      if (held)
        held.then(
          (end) => answered(end.reply, end),
          (error: unknown) => Object.assign(asked, { error, at: time }),
        );
      else answered(reply);
      return asked;
    },
    /** Runs a script that is not held, and wakes who waits for its first key. */
    act(script: string, keys: readonly string[], args: Args, isSeen = true): readonly unknown[] {
      const reply = engine.run(words(script, keys, args, 5000)) as readonly unknown[];
      if (isSeen) for (const key of keys) room.wake(key);
      return reply;
    },
    /** Runs a request that might be held, without the room. */
    run(script: string, keys: readonly string[], args: Args): { readonly call: WaitableCall; readonly reply: unknown } {
      const list = words(script, keys, args, 5000);
      const call = waitableCall(list);
      if (!call) throw new Error(`${script} is not waitable`);
      return { call, reply: engine.run(list) };
    },
    command: (...list: string[]): unknown => engine.run(list),
    async advance(ms: number): Promise<void> {
      const target = time + ms;
      await settle();
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= target).sort((a, b) => a.at - b.at);
        if (!next) break;
        timers.delete(next);
        time = Math.max(time, next.at);
        next.callback();
        await settle();
      }
      time = target;
    },
    timers: () => timers.size,

    lock(name: string, id: string, asking?: Asking, args: Args = {}): Asked {
      const own = { id: idOf(id), lease: 10_000, retention: 60_000, reentryKey: "", note: "", reentrant: 1 };
      return stage.ask("lock-acquire", [name], { ...own, waited: 0, asked: "", ...args }, asking);
    },
    unlock(name: string, { reply }: Asked, id: string, isSeen = true): void {
      const token = String(reply?.[2]);
      stage.act("lock-close", [name], { id: idOf(id), token, retention: 60_000, due: 0 }, isSeen);
    },
    group(names: readonly string[], id: string, asking?: Asking): Asked {
      const own = { id: idOf(id), lease: 10_000, retention: 60_000, reentryKey: "", note: "", reentrant: 1, waited: 0 };
      return stage.ask("group-acquire", names, own, asking);
    },
    fair(name: string, id: string, asking?: Asking, args: Args = {}): Asked {
      const own = { id: idOf(id), lease: 10_000, retention: 60_000, reentryKey: "", note: "", reentrant: 1 };
      return stage.ask("fair-acquire", [name, `${name}%crowd`], { ...own, ticket: 0, grace: 1000, ...args }, asking);
    },
    unfair(name: string, { reply }: Asked, id: string): void {
      const own = { id: idOf(id), token: String(reply?.[2]), retention: 60_000, due: 0 };
      stage.act("fair-close", [name, `${name}%crowd`], own);
    },
    side(name: string, id: string, mode: "read" | "write", asking?: Asking): Asked {
      const own = { id: idOf(id), lease: 10_000, retention: 60_000, mode, reentrant: 1, back: 1000, after: 0 };
      return stage.ask("rw-acquire", [name, `${name}%crowd`], own, asking);
    },
    unside(name: string, { reply }: Asked, id: string): void {
      const own = { id: idOf(id), token: String(reply?.[2]), retention: 60_000, due: 0 };
      stage.act("rw-close", [name, `${name}%crowd`], own);
    },
    permits(name: string, id: string, wanted: number, permits: number, asking?: Asking): Asked {
      const own = { id: `${idOf(id)}#${wanted}`, kind: "semaphore", lease: 10_000, permits, ttl: 60_000 };
      return stage.ask("semaphore-acquire", [name, `${name}%crowd`], { ...own, retention: 60_000, waited: 0 }, asking);
    },
    giveBack(name: string, { reply }: Asked, id: string, wanted: number): void {
      const own = { id: `${idOf(id)}#${wanted}`, token: String(reply?.[2]), retention: 60_000, due: 0 };
      stage.act("semaphore-close", [name, `${name}%crowd`], { ...own, "permits…": "" });
    },
    /** Spends `count` of the permits, and returns the others. */
    spend(name: string, { reply }: Asked, id: string, wanted: number, count: number): readonly unknown[] {
      const spends = `${idOf(id)}#${wanted} ${reply?.[2]} ${count} ${wanted} 60000`;
      const own = { retention: 60_000, due: 0, "spends…": spends };
      return stage.act("semaphore-spend", [name, `${name}%crowd`], own);
    },
    /** Waits for a latch; `generation` is the one that the waiter saw before. */
    zero(name: string, id: string, asking?: Asking, generation = 0): Asked {
      return stage.ask("latch-wait", [name], { id: idOf(id), generation }, asking);
    },
    setLatch(name: string, id: string, count: number, isSeen = true): readonly unknown[] {
      const own = { id: idOf(id), count, ttl: 60_000, retention: 60_000 };
      return stage.act("latch-set", [name, `${name}%crowd`], own, isSeen);
    },
    countDown(name: string, party: string, isSeen = true): readonly unknown[] {
      const [, , generation] = engine.run(words("record-inspect", [name], { kind: "latch" }, 5000)) as unknown[];
      const own = { id: idOf(party), generation: String(generation), ttl: 60_000, retention: 60_000 };
      return stage.act("latch-down", [name, `${name}%crowd`], own, isSeen);
    },
    forceLatch(name: string, id: string): readonly unknown[] {
      return stage.act("crowd-force", [name, `${name}%crowd`], { id: idOf(id), kind: "latch", retention: 60_000 });
    },
    begin(name: string, id: string, asking?: Asking): Asked {
      const own = { id: idOf(id), lease: 10_000, ttl: 60_000, retention: 60_000, maxAttempts: 1e15, fingerprint: "" };
      return stage.ask("once-begin", [name], { ...own, before: 9e15, note: "" }, asking);
    },
    complete(name: string, { reply }: Asked, id: string): void {
      const own = { id: idOf(id), token: String(reply?.[2]), ttl: 60_000, retention: 60_000, result: "1" };
      stage.act("once-complete", [name], own);
    },
    fail(name: string, { reply }: Asked, id: string): void {
      const own = { id: idOf(id), token: String(reply?.[2]), retention: 60_000, due: 0 };
      stage.act("once-close", [name], own);
    },
  };
  return stage;
}
