import { kindOf, misuse, refuseMissing, shown, toFunction, toIdentity } from "leasehold/internal";
import { parameterNames } from "./parameter-names.ts";

/** Makes the name for a call from its arguments. @throws TypeError if an argument cannot be part of a name. */
export type Naming = (args: readonly unknown[]) => string;

/** A placeholder of a template, and the text after it. */
interface Placeholder {
  /** The text between the braces. */
  readonly path: string;
  /** Position of the argument. */
  readonly index: number;
  /** The members that lead from the argument to the value. */
  readonly members: readonly string[];
  readonly following: string;
}

const PATH = /^(\d+|[\p{ID_Start}$_][\p{ID_Continue}$]*)(\.[\p{ID_Continue}$]+)*$/u;

/** Finds the position of the argument at the start of a path. @throws TypeError if there is none. */
function indexOf(root: string, names: readonly (string | undefined)[]): number {
  if (/^\d+$/.test(root)) return Number(root);
  const index = names.indexOf(root);
  if (index >= 0) return index;
  const known = names.filter((name) => name !== undefined);
  const found = known.length > 0 ? `its parameters are ${known.join(", ")}` : "the names of its parameters are hidden";
  throw misuse(TypeError, `no parameter is called ${root}: ${found}; use a position, as in {0}, or a function`);
}

/** Splits a template into the text before its first placeholder, and its placeholders. */
function parse(template: string, names: readonly (string | undefined)[]): [first: string, Placeholder[]] {
  const [first = "", ...parts] = template.split("{");
  if (first.includes("}")) throw misuse(TypeError, "a } has no {");
  const placeholders = parts.map((part, at): Placeholder => {
    const [path = "", following, ...more] = part.split("}");
    if (following === undefined) throw misuse(TypeError, "a { has no }");
    if (more.length > 0) throw misuse(TypeError, "a } has no {");
    if (!PATH.test(path))
      throw misuse(TypeError, `{${path}} is not a parameter, such as {id}, {order.id}, {0} or {0.id}`);
    if (following === "" && at < parts.length - 1)
      throw misuse(TypeError, `put text between {${path}} and the placeholder after it`);
    const [root = "", ...members] = path.split(".");
    return { path, index: indexOf(root, names), members, following };
  });
  return [first, placeholders];
}

/** Reads the value of a placeholder as text. @throws TypeError for a value that has no plain text, or an empty one. */
function textAt(args: readonly unknown[], { path, index, members, following }: Placeholder): string {
  let value = args[index];
  for (const member of members) {
    if (value === null || value === undefined) throw misuse(TypeError, `{${path}}: ${value} has no ${member}`);
    value = (value as Readonly<Record<string, unknown>>)[member];
  }
  const isText = typeof value === "string" || typeof value === "bigint" || typeof value === "boolean";
  if (!isText && !Number.isFinite(value))
    throw misuse(
      TypeError,
      `{${path}} is ${typeof value === "number" ? value : kindOf(value)}, not a string or number`,
    );
  const text = `${value}`;
  if (text === "") throw misuse(TypeError, `{${path}} is empty`);
  refuseMissing(text, `{${path}}`);
  // Otherwise "a:b" and "c" would make the same name as "a" and "b:c".
  if (following !== "" && (text + following).indexOf(following) !== text.length)
    throw misuse(TypeError, `{${path}} contains ${shown(following)}, which ends it in the template: pass a function`);
  return text;
}

/**
 * Checks the name of a decorator: a template, or a function of the arguments.
 *
 * @throws TypeError for a template that does not fit the method; the message does not name the decorator.
 */
export function toNaming(
  template: string | ((...args: never[]) => string),
  method: (...args: never[]) => unknown,
): Naming {
  if (typeof template !== "string") {
    const name = toFunction(template, "the name");
    return (args) => toIdentity(name(...(args as never[])), "the name");
  }
  if (template === "") throw misuse(TypeError, "the name is empty");
  const [first, placeholders] = parse(template, parameterNames(method));
  const last = placeholders.at(-1);
  return (args) =>
    placeholders.reduce((name, placeholder) => {
      // The last value may contain anything, since the end of the name ends it.
      const read = placeholder === last ? { ...placeholder, following: "" } : placeholder;
      return `${name}${textAt(args, read)}${placeholder.following}`;
    }, first);
}
