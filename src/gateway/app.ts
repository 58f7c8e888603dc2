import { Hono } from "hono";
import { authorizer } from "./auth.ts";
import type { Backend, Command, Reply } from "./backend.ts";
import { readBytes, readText } from "./body.ts";
import { type Encoding, encodeReplies, encodeReply } from "./encode.ts";
import { BadRequest, MethodNotAllowed, Unauthorized } from "./errors.ts";
import { parseCommand, parseCommands } from "./parse.ts";
import { refusal, refusalInTransaction } from "./refuse.ts";
import { fail, respond } from "./respond.ts";
import { parseTarget } from "./target.ts";

const METHODS: ReadonlySet<string> = new Set(["HEAD", "GET", "POST", "PUT"]);

interface AppOptions {
  readonly token: string;
  readonly maxBodyBytes: number;
}

const encodingOf = (request: Request): Encoding =>
  request.headers.get("upstash-encoding")?.toLowerCase() === "base64" ? "base64" : "text";

async function runOne(backend: Backend, command: Command, encoding: Encoding): Promise<Response> {
  const reason = refusal(command);
  const [reply = null] = reason === undefined ? await backend.send([command]) : [new Error(reason)];
  return respond(reply instanceof Error ? 400 : 200, encodeReply(reply, encoding));
}

/** Refused commands fail in their own place, as a command that Redis refuses does; the others run. */
async function runPipeline(backend: Backend, commands: readonly Command[], encoding: Encoding): Promise<Response> {
  const reasons = commands.map(refusal);
  const allowed = commands.filter((_, at) => reasons[at] === undefined);
  const replies = allowed.length === 0 ? [] : await backend.send(allowed);
  if (allowed.length === commands.length) return respond(200, encodeReplies(replies, encoding));
  const rest = replies.values();
  const all = reasons.map((reason): Reply => (reason === undefined ? (rest.next().value ?? null) : new Error(reason)));
  return respond(200, encodeReplies(all, encoding));
}

async function runTransaction(backend: Backend, commands: readonly Command[], encoding: Encoding): Promise<Response> {
  const reason = commands.map(refusalInTransaction).find((text) => text !== undefined);
  const replies = reason === undefined ? await backend.transact(commands) : new Error(reason);
  if (replies instanceof Error) return respond(400, encodeReply(replies, encoding));
  return respond(200, encodeReplies(replies, encoding));
}

/** The REST protocol over a backend, as a function from request to response. It never throws. */
export function createApp(backend: Backend, options: AppOptions): (request: Request) => Promise<Response> {
  const isAuthorized = authorizer(options.token);
  const limit = options.maxBodyBytes;

  /** Nothing of a request is read before its token is known to be good. */
  const guarded = (run: (request: Request) => Promise<Response>) => (context: { req: { raw: Request } }) => {
    const request = context.req.raw;
    if (!isAuthorized(request)) throw new Unauthorized();
    if (!METHODS.has(request.method)) throw new MethodNotAllowed();
    return run(request);
  };

  // Not strict: "/pipeline/" is the pipeline too, and not a command of that name.
  const app = new Hono({ strict: false });
  app.onError(fail);
  app.all(
    "/",
    guarded(async (request) => runOne(backend, parseCommand(await readText(request, limit)), encodingOf(request))),
  );
  app.all(
    "/pipeline",
    guarded(async (request) => {
      const commands = parseCommands(await readText(request, limit), "pipeline request");
      return runPipeline(backend, commands, encodingOf(request));
    }),
  );
  app.all(
    "/multi-exec",
    guarded(async (request) => {
      const commands = parseCommands(await readText(request, limit), "transaction");
      return runTransaction(backend, commands, encodingOf(request));
    }),
  );
  app.all(
    "*",
    guarded(async (request) => {
      const command = parseTarget(request.url, await readBytes(request, limit));
      if (command[0].length === 0) throw new BadRequest("empty command");
      return runOne(backend, command, encodingOf(request));
    }),
  );
  return async (request) => app.fetch(request);
}
