import { createEngine, type Engine } from "leasehold-engine";
import { holdHeaders, isForRoom, waitOf } from "leasehold-engine/holding";
import {
  type Answer,
  type Encoding,
  errorJson,
  failure,
  incomingOf,
  read,
  replyJson,
  responseOf,
  tokenOf,
  toText,
  UNAUTHORIZED,
  type Understood,
} from "leasehold-engine/rest";
import { type Access, createAccess, type RestToken } from "./access.ts";
import { checkMembers } from "./members.ts";
import {
  findObjects,
  isOverload,
  type LeaseholdNamespace,
  type LeaseholdStub,
  OVERLOADED_MS,
  type Placement,
} from "./namespace.ts";
import { objectOf } from "./route.ts";

export interface RestOptions extends Placement {
  /** The binding to the objects. */
  readonly namespace: LeaseholdNamespace;
  /** The valid tokens, at least one. */
  readonly tokens: readonly RestToken[];
  /** The maximum bytes of a request's body. Default 1 MB. */
  readonly maxBody?: number | undefined;
}

type Words = readonly string[];
type Find = (name: string) => LeaseholdStub;

const MAX_BODY = 1_000_000;
const OPTIONS: readonly (keyof RestOptions)[] = ["namespace", "tokens", "maxBody", "jurisdiction", "locationHint"];
const EVALUATION = /^eval(sha)?$/i;
const NO_PLACE = "needs a server that has all names in one place; each name is an object of its own here";

/** The read-only commands of an engine. */
const readingOf = ({ commands }: Engine): ReadonlySet<string> =>
  new Set(commands.filter(({ flags }) => flags.includes("readonly")).map(({ name }) => name));

/** The answer to a command that is not run. Its message has one character for each byte. */
const refusalJson = (message: string): string => errorJson(toText(message));

/** A parsed request. */
interface Job {
  readonly understood: Understood;
  readonly access: Access;
  readonly waitMs: number;
}

/** A command with its object; or its answer, if it needs none. */
type Routed =
  | { readonly words: Words; readonly object: string; readonly answer?: undefined }
  | { readonly answer: string };

/** The reply to INFO, by which tools see where the objects are. */
const infoOf = ({ jurisdiction = "none", locationHint = "none" }: Placement): string =>
  [
    ...["# Server", "leasehold_server:durable-objects", ""],
    ...["# Placement", `leasehold_jurisdiction:${jurisdiction}`, `leasehold_location_hint:${locationHint}`, ""],
  ].join("\r\n");

/** The command in the form that the token may run; an error if it may not. */
function permitted(words: Words, { readOnly }: Access, reading: ReadonlySet<string>): Words | string {
  const [verb = "", ...rest] = words;
  if (!readOnly || reading.has(verb.toLowerCase()) || isForRoom(words)) return words;
  // A script may run if it only reads.
  if (EVALUATION.test(verb)) return [`${verb}_RO`, ...rest];
  return /^(ping|echo|time)$/i.test(verb) ? words : "NOPERM this token may only read";
}

/** Finds the object of a command. @param engine answers commands that concern no name */
function route(
  command: Words,
  { access, understood: { encoding } }: Job,
  engine: Engine,
  reading: ReadonlySet<string>,
  placement: Placement,
): Routed {
  if (/^info$/i.test(command[0] ?? "")) return { answer: replyJson(infoOf(placement), encoding) };
  const words = permitted(command, access, reading);
  if (typeof words === "string") return { answer: refusalJson(words) };
  const refusal = isForRoom(words) ? undefined : engine.refusal(words);
  if (refusal) return { answer: refusalJson(refusal.message) };
  const { name, error } = objectOf(words);
  if (error !== undefined) return { answer: refusalJson(error) };
  if (name !== undefined) return { words, object: access.nameOf(toText(name)) };
  if (/^(ping|echo|time|wait|script)$/i.test(words[0] ?? "")) return { answer: replyJson(engine.run(words), encoding) };
  return { answer: refusalJson(`ERR ${(words[0] ?? "").toUpperCase()} ${NO_PLACE}`) };
}

/** Runs commands, in one call for each object. Returns their answers in order. */
async function runAll(find: Find, routed: readonly Routed[], encoding: Encoding): Promise<string[]> {
  const answers: string[] = routed.map(({ answer = "" }) => answer);
  const byObject = new Map<string, number[]>();
  for (const [at, each] of routed.entries()) {
    if (each.answer !== undefined) continue;
    const places = byObject.get(each.object);
    if (places) places.push(at);
    else byObject.set(each.object, [at]);
  }
  await Promise.all(
    [...byObject].map(async ([object, places]) => {
      const commands = places.map((at) => [...(routed[at] as { readonly words: Words }).words]);
      const { answers: own } = await find(object).run(commands, { encoding });
      for (const [n, at] of places.entries()) answers[at] = own[n] as string;
    }),
  );
  return answers;
}

const isError = (answer: string): boolean => answer.startsWith('{"error"');
const single = (body: string, headers = {}): Answer => ({ status: isError(body) ? 400 : 200, body, headers });

async function transact(find: Find, routed: readonly Routed[], encoding: Encoding): Promise<Answer> {
  const refused = routed.find(({ answer }) => answer !== undefined && isError(answer));
  if (refused) return single(refusalJson("EXECABORT Transaction discarded because of previous errors."));
  const all = routed.flatMap((each) => (each.answer === undefined ? [each] : []));
  const [object, ...others] = new Set(all.map((each) => each.object));
  if (object === undefined || others.length > 0 || all.length < routed.length)
    return single(refusalJson("CROSSSLOT a transaction needs keys of one name, or of one group"));
  const { answers } = await find(object).run(
    all.map(({ words }) => [...words]),
    { transaction: true, encoding },
  );
  const [only = ""] = answers;
  // A transaction refused as a whole has one answer.
  if (answers.length === 1 && all.length > 1 && isError(only)) return single(only);
  return { status: 200, body: `[${answers.join(",")}]` };
}

/** Answers a request from the objects. */
async function perform(find: Find, job: Job, routed: readonly Routed[]): Promise<Answer> {
  const { understood, waitMs } = job;
  const { encoding } = understood;
  if (understood.shape === "transaction") return transact(find, routed, encoding);
  if (understood.shape === "pipeline")
    return { status: 200, body: `[${(await runAll(find, routed, encoding)).join(",")}]` };
  const [only] = routed;
  if (only?.answer !== undefined || !only) return single(only?.answer ?? refusalJson("ERR empty command"));
  const { answers, heldMs, isOffered } = await find(only.object).run([[...only.words]], { encoding, waitMs });
  return single(answers[0] ?? "", heldMs === undefined ? {} : holdHeaders(heldMs, isOffered));
}

/** The answer to a request whose object did not answer. */
function failed(thrown: unknown): Answer {
  if (isOverload(thrown))
    return failure(429, "ERR the object has too much to do", { "retry-after": String(OVERLOADED_MS / 1000) });
  // It may have run, as the status says to a caller that retries.
  return failure(504, "ERR the object did not answer");
}

/**
 * Makes a handler of the Upstash REST protocol: a URL and a token for clients that are not bound to the objects, such
 * as Vercel, Deno and Node. It sets no CORS headers, since a token does not belong in a page.
 *
 * @throws TypeError for invalid options
 */
export function createRestHandler(options: RestOptions): (request: Request) => Promise<Response> {
  checkMembers(options, OPTIONS, "the options of createRestHandler");
  const { namespace, tokens, maxBody = MAX_BODY, jurisdiction, locationHint } = options;
  if (!Number.isSafeInteger(maxBody) || maxBody < 1) throw new TypeError("maxBody must be a whole number of bytes");
  const find = findObjects(namespace, { jurisdiction, locationHint });
  const accessOf = createAccess(tokens);
  const engine = createEngine({ dialect: "upstash", now: Date.now, random: Math.random });
  const reading = readingOf(engine);

  async function answer(request: Request): Promise<Answer> {
    const header = (name: string): string | null => request.headers.get(name);
    const access = await accessOf(tokenOf({ header, target: new URL(request.url).search }));
    if (!access) return UNAUTHORIZED;
    if (Number(header("content-length") ?? 0) > maxBody) return failure(413, "ERR the body is too large");
    const body = request.body === null ? undefined : await request.arrayBuffer();
    if (body && body.byteLength > maxBody) return failure(413, "ERR the body is too large");
    const incoming = await incomingOf(request.url, {
      method: request.method,
      headers: request.headers,
      ...(body && { body }),
    });
    const understood = read(incoming);
    if ("status" in understood) return understood;
    const job: Job = { understood, access, waitMs: waitOf(header("prefer")) ?? 0 };
    const routed = understood.commands.map((words) => route(words, job, engine, reading, options));
    try {
      return await perform(find, job, routed);
    } catch (error) {
      return failed(error);
    }
  }

  return async (request) => responseOf(await answer(request), request.method);
}
