/** Decodes the commands of a request: the script of each, with its arguments and reply by name. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ErrorReply, type Reply } from "../../engine/src/redis/reply.ts";
import { toBytes } from "../../engine/src/rest/bytes.ts";
import { type BuiltScript, buildAll, buildScript } from "../../tools/lua-scripts.ts";

/** One executed script, with its arguments and reply by name. */
export interface Execution<Op> {
  readonly server: string;
  /** The command as it was sent. */
  readonly words: readonly string[];
  readonly script: string;
  readonly keys: readonly string[];
  readonly args: Readonly<Record<string, string>>;
  readonly status: string;
  /** The server's clock in µs, as read by the script. */
  readonly now: number;
  readonly reply: Readonly<Record<string, string | number>>;
  /** The number of commands executed, the script's own included. */
  readonly commands: number;
  /** Whether memory was full. */
  readonly isFull: boolean;
  readonly op: Op | undefined;
}

/** A change to the text of a script: a rule broken on purpose. */
export interface Break {
  readonly script: string;
  readonly from: string;
  readonly to: string;
}

/** Errors that the caller of a script must expect. */
const EXPECTED = /^(OOM|NOSCRIPT|TRYAGAIN) /;

const scripts: ReadonlyMap<string, BuiltScript> = new Map(buildAll().map((script) => [script.sha[0], script]));

const byText: ReadonlyMap<string, BuiltScript> = new Map([...scripts.values()].map((script) => [script.lua, script]));

/** The text of a script with some of its lines replaced. */
function brokenText(name: string, list: readonly Break[]): string {
  const source = readFileSync(join(import.meta.dirname, "../../lua", `${name}.lua`), "utf8");
  const changed = list.reduce((lua, { from, to }) => {
    if (!lua.includes(from)) throw new Error(`${name}.lua has no ${from}`);
    return lua.replace(from, to);
  }, source);
  return buildScript(name, changed).lua;
}

/** The arguments of a script by the names in its header; the last name may be variadic. */
function named({ args }: BuiltScript, values: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  args.forEach((arg, index) => {
    found[arg.replace("…", "")] = arg.endsWith("…") ? values.slice(index).join(" ") : (values[index] ?? "");
  });
  return found;
}

function decoded({ replies }: BuiltScript, reply: readonly Reply[]): Record<string, string | number> {
  const [status = "", now = 0, ...values] = reply as readonly (string | number)[];
  const found: Record<string, string | number> = { status, now };
  replies.get(String(status))?.forEach(({ name }, index) => {
    found[name] = values[index] ?? "";
  });
  return found;
}

/** Replaces the script of each command by its text with the broken rules; leaves other commands unchanged. */
export function createBreaker(breaks: readonly Break[], changed: ReadonlyMap<string, string>) {
  if (breaks.length + changed.size === 0) return (words: readonly string[]): readonly string[] => words;
  const texts = new Map<string, string>();
  return (words: readonly string[]): readonly string[] => {
    const script = scripts.get(words[1] ?? "") ?? byText.get(words[1] ?? "");
    const list = breaks.filter(({ script: each }) => each === script?.name);
    const given = changed.get(script?.name ?? "");
    if (!script || (list.length === 0 && given === undefined)) return words;
    const text = texts.get(script.name) ?? toBytes(given ?? brokenText(script.name, list));
    texts.set(script.name, text);
    return ["EVAL", text, ...words.slice(2)];
  };
}

export const isEvaluated = (words: readonly string[]): boolean => /^EVAL/.test(words[0] ?? "");

/** The name of the script of a command; the command's own name if it has none. */
export const scriptNameOf = ([command = "", text = ""]: readonly string[]): string =>
  (scripts.get(text) ?? byText.get(text))?.name ?? command;

/** The executed script of a command as sent; undefined for a command without a script. */
export function executionOf<Op>(
  given: readonly string[],
  reply: unknown,
  about: Pick<Execution<Op>, "server" | "words" | "commands" | "isFull" | "op">,
): Execution<Op> | undefined {
  const failure = reply instanceof ErrorReply && !EXPECTED.test(reply.message) && reply.message;
  if (!isEvaluated(given) || !(Array.isArray(reply) || failure)) return undefined;
  const text = given[1] ?? "";
  const script = given[0] === "EVALSHA" ? scripts.get(text) : byText.get(text);
  if (!script) throw new Error("a script that is not in lua/");
  const firstArgument = 3 + Number(given[2]);
  const fields = failure ? { status: "failed", now: 0, failure } : decoded(script, reply as readonly Reply[]);
  return {
    ...about,
    script: script.name,
    keys: given.slice(3, firstArgument),
    args: named(script, given.slice(firstArgument)),
    status: String(fields["status"]),
    now: Number(fields["now"]),
    reply: fields,
  };
}
