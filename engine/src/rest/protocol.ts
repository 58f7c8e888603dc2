import type { Engine } from "../redis/engine.ts";
import { ErrorReply, type Reply } from "../redis/reply.ts";
import { type Encoding, replyJson } from "./reply-json.ts";
import { BadRequest, type Incoming, queryOf, type Understood, understand } from "./request.ts";

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const METHODS = /^(HEAD|GET|POST|PUT)$/;

/** The answer to a request that fails. */
export const failure = (status: number, message: string, headers?: Readonly<Record<string, string>>): Answer => ({
  status,
  body: `{"error":${JSON.stringify(message)}}`,
  ...(headers && { headers }),
});

/** The answer to a request without a valid token. */
export const UNAUTHORIZED: Answer = failure(401, "Unauthorized");

/** The token of a request, from its header or query. */
export function tokenOf(incoming: Pick<Incoming, "header" | "target">): string | undefined {
  const given = incoming.header("authorization");
  if (given) return /^bearer +(.+)$/i.exec(given)?.[1];
  return queryOf(incoming.target).find(([key]) => key === "_token")?.[1];
}

/** The first part of the REST protocol: parses a request into commands, or returns the answer that refuses it. */
export function admit(incoming: Incoming, token: string): Understood | Answer {
  return tokenOf(incoming) === token ? read(incoming) : UNAUTHORIZED;
}

/** Like `admit`, for a request whose token was checked. */
export function read(incoming: Incoming): Understood | Answer {
  if (!METHODS.test(incoming.method)) return failure(405, "Method Not Allowed", { allow: "HEAD, GET, POST, PUT" });
  if (/^resp2$/i.test(incoming.header("upstash-response-format") ?? ""))
    return failure(400, "ERR this server answers in JSON only");
  try {
    return understand(incoming);
  } catch (error) {
    if (error instanceof BadRequest) return failure(error.status, error.message);
    throw error;
  }
}

export const encodingOf = ({ header }: Pick<Incoming, "header">): Encoding =>
  header("upstash-encoding")?.toLowerCase() === "base64" ? "base64" : "text";

/** The part of an engine that runs commands. */
export type Runs = Pick<Engine, "run" | "transact" | "budget">;

/** Runs the commands of a request. */
export function perform(engine: Runs, { shape, commands }: Understood, encoding: Encoding): Answer {
  if (shape === "command") return answerOf(engine.run(commands[0] as readonly string[]), encoding);
  const budget = engine.budget();
  const replies =
    shape === "pipeline" ? commands.map((words) => engine.run(words, budget)) : engine.transact(commands, budget);
  if (replies instanceof ErrorReply) return answerOf(replies, encoding);
  return { status: 200, body: `[${replies.map((reply) => replyJson(reply, encoding)).join(",")}]` };
}

/** The answer to one command. */
export const answerOf = (reply: Reply, encoding: Encoding): Answer => ({
  status: reply instanceof ErrorReply ? 400 : 200,
  body: replyJson(reply, encoding),
});
