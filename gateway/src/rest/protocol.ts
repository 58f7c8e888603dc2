import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { type Backend, type Command, overridden, sendAllowed } from "../redis/backend.ts";
import { writeAhead } from "../redis/command-encoding.ts";
import { refusal, refusalInTransaction } from "../redis/commands.ts";
import { asRaw } from "../redis/raw-replies.ts";
import type { Hold } from "../shared/budget.ts";
import { BadRequest, MethodNotAllowed } from "../shared/errors.ts";
import type { Held } from "../shared/token-limits.ts";
import { readerOf, streamed } from "../streams/sse.ts";
import { createSubscriptions, headOfStream, type SubscriptionLimits } from "../streams/subscriptions.ts";
import { answerAll, answerOne } from "./answer.ts";
import { parseCommand, parseCommands, type What } from "./body.ts";
import { type Format, formatOf, formatOfTransaction } from "./format.ts";
import { isLarge, parseLargeCommand, parseLargeCommands } from "./large-body.ts";
import type { Route } from "./route.ts";
import { parseTarget } from "./target.ts";
import { createScripts } from "./upstash-scripts.ts";

const METHODS: ReadonlySet<string> = new Set(["HEAD", "GET", "POST", "PUT"]);
const NO_BODY = Buffer.alloc(0);

/** The commands that a request sends, and how long Redis took; filled in as it goes on. */
export interface Sending {
  commands?: readonly Command[];
  /** In ms, as of `performance.now()`. */
  sentAt?: number;
  answeredAt?: number;
}

/**
 * The REST protocol over a backend, for requests whose token is good. It throws or rejects, with a {@link GatewayError}
 * for a failure with its own HTTP status. It is not async: a promise more would cost each request turns of the
 * microtask queue.
 */
export type App = (request: HttpRequest, route: Route, held: Held, sending: Sending) => Promise<HttpResponse>;

interface AppOptions extends SubscriptionLimits {
  readonly maxBodyBytes: number;
  readonly maxPipeline: number;
}

const inFormat = (command: Command, format: Format): Command => (format === "resp2" ? asRaw(command) : command);

function refusalError(command: Command): Error | undefined {
  const reason = refusal(command);
  return reason === undefined ? undefined : new Error(reason);
}

/** The settings that all commands of a request have in common. */
interface Way {
  readonly format: Format;
  readonly room: Hold;
  readonly sending: Sending;
}

function begin(sending: Sending, commands: readonly Command[]): void {
  sending.commands = commands;
  sending.sentAt = performance.now();
}

/** Runs a pipeline. Refused commands fail in their places, as commands do that Redis refuses; the others run. */
async function runPipeline(
  backend: Backend,
  commands: readonly Command[],
  { format, room, sending }: Way,
): Promise<HttpResponse> {
  begin(sending, commands);
  const refused = commands.map(refusalError);
  const replies = await sendAllowed(commands, refused, (allowed) => {
    if (format === "resp2") allowed.forEach(asRaw);
    return backend.send(allowed, room);
  });
  sending.answeredAt = performance.now();
  return answerAll(replies, format, room);
}

async function runTransaction(
  backend: Backend,
  commands: readonly Command[],
  { format, room, sending }: Way,
): Promise<HttpResponse> {
  begin(sending, commands);
  const reason = commands.map(refusalInTransaction).find((text) => text !== undefined);
  const replies = reason === undefined ? await backend.transact(commands, room) : new Error(reason);
  sending.answeredAt = performance.now();
  return replies instanceof Error ? answerOne(replies, format, room) : answerAll(replies, format, room);
}

async function runOne(backend: Backend, command: Command, { format, room, sending }: Way): Promise<HttpResponse> {
  begin(sending, [command]);
  const reason = refusal(command);
  const [reply = null] =
    reason === undefined ? await backend.send([inFormat(command, format)], room) : [new Error(reason)];
  sending.answeredAt = performance.now();
  return answerOne(reply, format, room);
}

export function createApp(redis: Backend, options: AppOptions): App {
  const { maxBodyBytes: limit, maxPipeline: most } = options;
  const scripts = createScripts();
  const subscriptions = createSubscriptions(redis, options);
  const backend = overridden(redis, {
    send: (commands, room) => scripts.restore(commands, redis.send(commands, room)),
    transact: (commands, room) => scripts.restore(commands, redis.transact(commands, room)),
  });

  function fromPath(target: string, body: Buffer): Command {
    const command = parseTarget(target, body);
    if (command[0].length === 0) throw new BadRequest("empty command");
    return command;
  }

  async function oneLarge(body: Buffer): Promise<Command> {
    const command = scripts.adapt(await parseLargeCommand(body));
    await writeAhead([command]);
    return command;
  }

  async function severalLarge(body: Buffer, what: What): Promise<readonly Command[]> {
    const commands = (await parseLargeCommands(body, what, most)).map(scripts.adapt);
    await writeAhead(commands);
    return commands;
  }

  // Most bodies are small, and a promise more would cost each of them turns of the microtask queue.
  const one = (body: Buffer): Command | Promise<Command> =>
    isLarge(body) ? oneLarge(body) : scripts.adapt(parseCommand(body));
  const several = (body: Buffer, what: What): readonly Command[] | Promise<readonly Command[]> =>
    isLarge(body) ? severalLarge(body, what) : parseCommands(body, what, most).map(scripts.adapt);

  async function openStream(request: HttpRequest, held: Held): Promise<HttpResponse> {
    // The body is ignored: Upstash's client sends "[]" with a subscription. Its encoding is for replies, not for
    // events.
    await request.body(limit, held.body);
    if (request.method === "HEAD") return headOfStream();
    const command = streamed(parseTarget(request.target, NO_BODY));
    const stream = await subscriptions.open(command, readerOf(request), held.streams);
    return stream instanceof Error ? answerOne(stream, "text", held.replies) : stream;
  }

  function run(route: Route, target: string, body: Buffer, way: Way): Promise<HttpResponse> {
    if (route === "pipeline" || route === "transaction") {
      const given = several(body, route === "pipeline" ? "pipeline request" : "transaction");
      const runAll = route === "pipeline" ? runPipeline : runTransaction;
      return given instanceof Promise
        ? given.then((commands) => runAll(backend, commands, way))
        : runAll(backend, given, way);
    }
    const given = route === "path" ? scripts.adapt(fromPath(target, body)) : one(body);
    return given instanceof Promise
      ? given.then((command) => runOne(backend, command, way))
      : runOne(backend, given, way);
  }

  return (request, route, held, sending) => {
    if (!METHODS.has(request.method)) throw new MethodNotAllowed();
    if (route === "stream") return openStream(request, held);
    const format = route === "transaction" ? formatOfTransaction(request) : formatOf(request);
    const way = { format, room: held.replies, sending };
    const body = request.body(limit, held.body);
    if (Buffer.isBuffer(body)) return run(route, request.target, body, way);
    return body.then((whole) => run(route, request.target, whole, way));
  };
}
