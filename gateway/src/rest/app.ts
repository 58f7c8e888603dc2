import {
  checkRequest,
  type Format,
  formatOf,
  parseCommand,
  parseCommands,
  type Route,
  type What,
} from "leasehold-engine/rest";
import type { Holding, Waiting, Waits } from "../holding/holding.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { type Backend, type Command, type Reply, repliesOf, sendOthers, type Wanted } from "../redis/backend.ts";
import { writeAhead } from "../redis/command-encoding.ts";
import { isForRoom, refusal, refusalInTransaction } from "../redis/commands.ts";
import type { Hold } from "../shared/budget.ts";
import { mapped, passOn, type Receiver } from "../shared/receiver.ts";
import type { Held } from "../shared/token-shares.ts";
import { readerOf, streamed } from "../streams/sse.ts";
import { createSubscriptions, headOfStream, type SubscriptionLimits } from "../streams/subscriptions.ts";
import { commandInPath, formatOfTransaction, isLarge } from "./command-request.ts";
import { parseLargeCommand, parseLargeCommands } from "./large-body.ts";
import { answerAllLarge, answerLarge } from "./large-reply.ts";
import { answerAll, answerOne, isLarge as areLarge } from "./response.ts";
import { createScripts, type Scripts } from "./upstash-scripts.ts";

const NO_BODY = Buffer.alloc(0);
const NOT_RAW = "ERR this command is answered in JSON only";
/** The maximum number of the gateway's own commands in a request: each may list hundreds of waiters. */
const MAX_OWN = 10;
const TOO_MANY_OWN = `ERR more than ${MAX_OWN} commands about waiters in one request`;

/** The commands that a request sends, and how long Redis took; filled in during the request. */
export interface Sending {
  commands?: readonly Command[];
  /** The length of its body. */
  bodyBytes?: number;
  /** In ms, as of `performance.now()`. */
  sentAt?: number;
  answeredAt?: number;
  /** How long the request was held, in ms. */
  heldMs?: number;
}

/**
 * The REST protocol over a backend, for requests with a valid token. It throws or fails, with a {@link GatewayError}
 * for a failure with its own HTTP status.
 */
export type App = (
  request: HttpRequest,
  route: Route,
  held: Held,
  sending: Sending,
  to: Receiver<HttpResponse>,
) => void;

interface AppOptions extends SubscriptionLimits {
  readonly maxBodyBytes: number;
  readonly maxPipeline: number;
}

/** Returns the reply to a command that is not sent to Redis: its refusal, or who waits. `undefined` for any other. */
type ReplyHere = (command: Command, format: Format) => Reply | undefined;

const replyHereBy =
  ({ answer }: Waits): ReplyHere =>
  (command, format) => {
    if (isForRoom(command)) return format === "resp2" ? new Error(NOT_RAW) : answer(command);
    const reason = refusal(command);
    return reason === undefined ? undefined : new Error(reason);
  };

/** The settings shared by all commands of a request. */
interface Way {
  readonly request: HttpRequest;
  readonly held: Held;
  readonly format: Format;
  readonly room: Hold;
  readonly sending: Sending;
}

/** A response, or for a large one its promise, which rejects with {@link ReplyTooLarge} without room. */
type Answer = HttpResponse | Promise<HttpResponse>;

const oneIn = (format: Format, reply: Reply, room: Hold): Answer =>
  format !== "resp2" && areLarge([reply]) ? answerLarge(reply, format, room) : answerOne(reply, format);

const allIn = (format: Format, replies: readonly Reply[], room: Hold): Answer =>
  format !== "resp2" && areLarge(replies) ? answerAllLarge(replies, format, room) : answerAll(replies, format);

/** The form of replies that the format of an answer needs. */
const wantedFor = ({ format, room }: Way): Wanted => ({ room, form: format === "resp2" ? "bytes" : "values" });

function begin(sending: Sending, commands: readonly Command[]): void {
  sending.commands = commands;
  sending.sentAt = performance.now();
}

/** Sends a pipeline. Refused commands fail individually, like commands that Redis refuses; the others run. */
function sendPipeline(backend: Backend, commands: readonly Command[], way: Way, replyHere: ReplyHere) {
  const wanted = wantedFor(way);
  let own = 0;
  const known = commands.map((command) =>
    isForRoom(command) && ++own > MAX_OWN ? new Error(TOO_MANY_OWN) : replyHere(command, way.format),
  );
  return sendOthers(commands, known, (others) => repliesOf(backend, others, wanted));
}

async function sendTransaction(backend: Backend, commands: readonly Command[], { room }: Way) {
  const reason = commands.map(refusalInTransaction).find((text) => text !== undefined);
  return reason === undefined ? backend.transact(commands, room) : new Error(reason);
}

/** The routes that send several commands. */
const SEVERAL = {
  pipeline: { what: "pipeline request", send: sendPipeline },
  transaction: { what: "transaction", send: sendTransaction },
} as const;
type Several = keyof typeof SEVERAL;

/** Runs the commands of a pipeline or a transaction. */
type RunSeveral = (route: Several, body: Buffer, way: Way) => Promise<HttpResponse>;

function severalOf(backend: () => Backend, scripts: Scripts, max: number, replyHere: ReplyHere): RunSeveral {
  async function large(body: Buffer, what: What): Promise<readonly Command[]> {
    const commands = (await parseLargeCommands(body, what, max)).map(scripts.adapt);
    await writeAhead(commands);
    return commands;
  }

  return async (route, body, way) => {
    const { format, room, sending } = way;
    const { what, send } = SEVERAL[route];
    const commands = isLarge(body) ? await large(body, what) : parseCommands(body, what, max).map(scripts.adapt);
    begin(sending, commands);
    const replies = await send(backend(), commands, way, replyHere);
    sending.answeredAt = performance.now();
    return replies instanceof Error
      ? oneIn(format, replies, room)
      : allIn(format, scripts.restore(commands, replies), room);
  };
}

/** Opens a subscription or a monitor as a stream. */
type OpenStream = (request: HttpRequest, held: Held) => Promise<HttpResponse>;

function streamsOf(redis: Backend, options: AppOptions): OpenStream {
  const subscriptions = createSubscriptions(redis, options);
  return async (request, held) => {
    // The body is ignored, since Upstash's client sends "[]" with a subscription. Its encoding applies to replies, not
    // to events.
    await request.body(options.maxBodyBytes, held.body);
    const command = streamed(commandInPath(request.target, NO_BODY));
    if (request.method === "HEAD") {
      const refused = redis.feedRefusal?.(command);
      return refused === undefined ? headOfStream() : answerOne(refused, "text");
    }
    const stream = await subscriptions.open(command, readerOf(request), held.streams);
    return stream instanceof Error ? answerOne(stream, "text") : stream;
  };
}

/** Parses and encodes a large command in slices. */
async function largeCommand(body: Buffer, scripts: Scripts): Promise<Command> {
  const command = scripts.adapt(await parseLargeCommand(body));
  await writeAhead([command]);
  return command;
}

/** Runs a command that may be held. */
async function runWaiting(holding: Holding, waiting: Waiting, way: Way): Promise<HttpResponse> {
  const { format, room, sending } = way;
  begin(sending, [[waiting.head[0] ?? "", ...waiting.head.slice(1), ...waiting.args]]);
  const { reply, wait } = await holding.run(waiting, way);
  sending.answeredAt = performance.now();
  if (wait !== undefined) sending.heldMs = wait.totalMs;
  const answer = await oneIn(format, reply, room);
  return { ...answer, headers: { ...answer.headers, ...wait?.headers } };
}

/** Chooses the path of commands: while requests are held, the waiters must notice writes that may end their wait. */
const backendOf =
  (redis: Backend, holding: Holding | undefined): (() => Backend) =>
  () =>
    holding?.isAny === true ? holding.passing : redis;

export function createApp(redis: Backend, options: AppOptions, waits: Waits): App {
  const { holding } = waits;
  const scripts = createScripts();
  const backend = backendOf(redis, holding);
  const replyHere = replyHereBy(waits);
  const runSeveral = severalOf(backend, scripts, options.maxPipeline, replyHere);
  const openStream = streamsOf(redis, options);

  function runOne(command: Command, way: Way, to: Receiver<HttpResponse>): void {
    const { format, room, sending, request } = way;
    const prefer = format === "resp2" ? undefined : request.header("prefer");
    const waiting = prefer === undefined ? undefined : holding?.asked(prefer, command);
    if (holding !== undefined && waiting !== undefined) {
      passOn(runWaiting(holding, waiting, way), to);
      return;
    }
    const commands = [command];
    begin(sending, commands);
    const receiver = mapped(to, (replies: readonly Reply[]) => {
      sending.answeredAt = performance.now();
      const [reply = null] = scripts.restore(commands, replies);
      return oneIn(format, reply, room);
    });
    const reply = replyHere(command, format);
    if (reply === undefined) backend().send(commands, receiver, wantedFor(way));
    else receiver.receive([reply]);
  }

  /** Runs a request. It throws, or returns a promise that rejects, for errors found before anything is sent. */
  function run(
    route: Exclude<Route, "stream">,
    target: string,
    body: Buffer,
    way: Way,
    to: Receiver<HttpResponse>,
  ): Promise<void> | undefined {
    way.sending.bodyBytes = body.length;
    if (route === "path") runOne(scripts.adapt(commandInPath(target, body)), way, to);
    else if (route !== "command") passOn(runSeveral(route, body, way), to);
    else if (isLarge(body)) return largeCommand(body, scripts).then((command) => runOne(command, way, to));
    else runOne(scripts.adapt(parseCommand(body)), way, to);
    return undefined;
  }

  return (request, route, held, sending, to) => {
    checkRequest(request);
    if (route === "stream") {
      passOn(openStream(request, held), to);
      return;
    }
    const format = route === "transaction" ? formatOfTransaction(request) : formatOf(request);
    const way = { request, held, format, room: held.replies, sending };
    request
      .body(options.maxBodyBytes, held.body)
      .then((body) => run(route, request.target, body, way, to))
      .catch((error: unknown) => to.fail(error));
  };
}
