import type { Engine } from "../redis/engine.ts";
import { ErrorReply, type Reply } from "../redis/reply.ts";
import { parseCommand, parseCommands } from "./body.ts";
import { fromArray, toBytes } from "./bytes.ts";
import { type Encoding, errorJson, replyJson } from "./reply-json.ts";
import { checkRequest, formatOf, type Header } from "./request.ts";
import { BadRequest, RestError } from "./rest-error.ts";
import { routeOf, tokenOf, type WordForm, wordsInPath } from "./target.ts";

/** A raw request. */
export interface Incoming {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly header: Header;
  readonly body: string | Uint8Array;
}

export type Commands = readonly (readonly string[])[];

/** A valid request. Words have one character for each byte. */
export interface Understood {
  readonly shape: "command" | "pipeline" | "transaction";
  readonly commands: Commands;
  readonly encoding: Encoding;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const BYTES: WordForm<string> = { ofText: toBytes, ofBytes: (bytes) => bytes };

/** The answer to a request that fails. */
export const failure = (status: number, message: string, headers?: Readonly<Record<string, string>>): Answer => ({
  status,
  body: errorJson(message),
  ...(headers && { headers }),
});

/** The answer to a request without a valid token. */
export const UNAUTHORIZED: Answer = failure(401, "Unauthorized");

/** The first part of the REST protocol: parses a request into commands, or returns the answer that refuses it. */
export function admit(incoming: Incoming, token: string): Understood | Answer {
  return tokenOf(incoming) === token ? read(incoming) : UNAUTHORIZED;
}

/** Like `admit`, for a request whose token was checked. */
export function read(incoming: Incoming): Understood | Answer {
  try {
    return understand(incoming);
  } catch (error) {
    if (error instanceof RestError) return failure(error.status, error.message, error.headers);
    throw error;
  }
}

const inBytes = (commands: readonly (readonly string[])[]): Commands => commands.map((words) => words.map(toBytes));

/** @throws {RestError} */
function understand(incoming: Incoming): Understood {
  checkRequest(incoming);
  const encoding = formatOf(incoming);
  if (encoding === "resp2") throw new BadRequest("this server answers in JSON only");
  const { target, body } = incoming;
  const max = Number.POSITIVE_INFINITY;
  switch (routeOf(target)) {
    case "command":
      return { shape: "command", commands: inBytes([parseCommand(body)]), encoding };
    case "pipeline":
      return { shape: "pipeline", commands: inBytes(parseCommands(body, "pipeline request", max)), encoding };
    case "transaction":
      return { shape: "transaction", commands: inBytes(parseCommands(body, "transaction", max)), encoding };
    case "path": {
      const value = typeof body === "string" ? toBytes(body) : fromArray(body);
      return { shape: "command", commands: [wordsInPath(target, value === "" ? undefined : value, BYTES)], encoding };
    }
    case "stream":
      throw new BadRequest("this server has no streams of events");
  }
}

/** The part of an engine that runs commands. */
export type Runs = Pick<Engine, "run" | "transact" | "budget">;

/** Runs the commands of a request. */
export function perform(engine: Runs, { shape, commands, encoding }: Understood): Answer {
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
