import {
  createWaitingRoom,
  holdHeaders,
  mayFree,
  type WaitingRoom,
  waitableCall,
  waitOf,
} from "../../engine/src/holding/index.ts";
import { type Liveness, livenessOf, resultOf, saysSuccess, type Waiting } from "./liveness.ts";
import type { Random } from "./random.ts";
import type { Server } from "./server.ts";
import type { World } from "./world.ts";

/** A part of the holding of requests that is broken on purpose. */
export type HoldBreak =
  /** No waiter is woken or tried in time. */
  | "never wakes"
  /** The server reports a longer hold time than the actual one. */
  | "boasts";

/** A response before its transport. */
export interface Answered {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One request to a server that may hold it. */
export interface Serving {
  readonly commands: readonly (readonly string[])[];
  readonly prefer: string | undefined;
  /** Runs commands on the server. */
  readonly run: (commands: readonly (readonly string[])[]) => { readonly status: number; readonly body: string };
  /** Receives the response, immediately or after the request was held. */
  readonly answer: (answered: Answered) => void;
  /** Called instead where the connection breaks before. */
  readonly breaks: () => void;
}

/** The component that holds requests for a server: the object itself, or one or two gateways. */
export interface Holding {
  /** Returns a function that reports that the connection of the request was closed. */
  serve(serving: Serving): () => void;
  /** The server restarts: held requests are lost, with their connections. */
  restart(): void;
}

/** The faults of a server's gateways. */
export interface GatewayTroubles {
  readonly gateways: number;
  /** The chance that a gateway misses a wake-up. */
  readonly misses: number;
  /** The chance that a gateway restarts before a request. */
  readonly restarts: number;
}

interface HoldingOptions {
  readonly world: World;
  readonly server: Server;
  readonly random: Random;
  readonly troubles: GatewayTroubles;
  readonly broken?: HoldBreak | undefined;
  /** Called if a held request could have been granted for longer than allowed. */
  readonly onStall: (text: string) => void;
}

/** A held request. */
interface Waiter extends Waiting {
  readonly run: Serving["run"];
  readonly gone: AbortController;
  breaks: () => void;
}

/** A waiting room in virtual time. */
function roomOf(world: World, isStuck: boolean): WaitingRoom {
  return createWaitingRoom({
    now: () => world.now(),
    after(ms, callback) {
      const timer = world.after(ms, callback);
      return () => timer.stop();
    },
    checkMs: isStuck ? Number.POSITIVE_INFINITY : undefined,
  });
}

/** One of the gateways or objects that hold requests. */
interface Gateway {
  /** Holds a refused request, or answers it immediately. */
  hold(waiter: Waiter, waitMs: number, serving: Serving, refused: Answered): void;
  /** A key was written. */
  wake(words: readonly string[]): void;
  restart(): void;
}

/** `waiters` are the waiters of all gateways. */
function createGateway(options: HoldingOptions, waiters: Set<Waiter>, liveness: Liveness): Gateway {
  const { world, random, troubles, broken } = options;
  const room = roomOf(world, broken === "never wakes");
  const own = new Set<Waiter>();

  function hold(waiter: Waiter, waitMs: number, serving: Serving, refused: Answered): void {
    const { call, head, gone } = waiter;
    const run = async (args: readonly string[]): Promise<unknown> => {
      const { body } = serving.run([[...head, ...args]]);
      waiter.reply = resultOf(body);
      if (saysSuccess(body)) liveness.succeeded();
      return waiter.reply;
    };
    const held = room.hold({ ...call, reply: waiter.reply, waitMs, run, signal: gone.signal });
    if (!held) {
      serving.answer(refused);
      return;
    }
    for (const set of [waiters, own]) set.add(waiter);
    liveness.watch();
    void held.then(({ reply, heldMs, ending }) => {
      for (const set of [waiters, own]) set.delete(waiter);
      const reported = broken === "boasts" ? world.now() - waiter.since + 60_000 : heldMs;
      const answer = { status: 200, body: JSON.stringify({ result: reply }), headers: { ...holdHeaders(reported) } };
      if (ending === "aborted") waiter.breaks();
      else serving.answer(answer);
    });
  }
  return {
    hold,
    wake(words) {
      if (random.chance(troubles.misses)) return;
      for (const word of words) room.wake(word);
    },
    restart() {
      for (const { gone } of own) gone.abort();
    },
  };
}

/** The maximum delay of a wake-up from one gateway to another. */
const MESSAGE_MS = 20;

/** Creates the gateways of a server that holds no requests itself. */
function createHolding(options: HoldingOptions): Holding {
  const { world, random, troubles, broken } = options;
  const waiters = new Set<Waiter>();
  const liveness = livenessOf(() => waiters, options, "held requests");
  const gateways = Array.from({ length: troubles.gateways }, () => createGateway(options, waiters, liveness));

  /** The gateway of the request wakes its waiters immediately, another one when the message arrives. */
  function wake(from: Gateway, words: readonly string[], body: string): void {
    const [command = "", sha = ""] = words;
    if (saysSuccess(body)) liveness.succeeded();
    if (broken === "never wakes" || (command === "EVALSHA" && !mayFree(sha))) return;
    for (const gateway of gateways)
      if (gateway === from) gateway.wake(words);
      else world.after(random.between(0, MESSAGE_MS), () => gateway.wake(words));
  }

  return {
    serve(serving) {
      const { commands, prefer } = serving;
      const gateway = random.pick(gateways);
      if (random.chance(troubles.restarts)) gateway.restart();
      const answered = { ...serving.run(commands), headers: {} };
      for (const words of commands) wake(gateway, words, answered.body);
      const [words = []] = commands;
      const waitMs = waitOf(prefer);
      const call =
        waitMs === undefined || commands.length > 1 || answered.status !== 200 ? undefined : waitableCall(words);
      const gone = new AbortController();
      if (!call || waitMs === undefined) serving.answer(answered);
      else {
        const head = words.slice(0, words.length - call.args.length);
        const waiter = { ...serving, call, since: world.now(), head, gone, reply: resultOf(answered.body) };
        gateway.hold(waiter, waitMs, serving, answered);
      }
      return () => gone.abort();
    },
    restart() {
      for (const gateway of gateways) gateway.restart();
    },
  };
}

/** Adds a component that holds requests to each server. */
export function holdingsOf(
  world: World,
  troubles: GatewayTroubles,
  servers: readonly Server[],
  history: { report(rule: string, text: string): void },
  broken: HoldBreak | undefined,
): ReadonlyMap<Server, Holding> {
  const onStall = (text: string): void => history.report("liveness", text);
  return new Map(
    servers.map((server) => {
      const random = world.random(`holding ${server.name}`);
      return [server, createHolding({ world, server, random, troubles, broken, onStall })];
    }),
  );
}
