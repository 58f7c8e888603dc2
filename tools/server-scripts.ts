/**
 * The data about leasehold's scripts for servers: their names for metrics, and how to hold requests, from the `WAIT`
 * lines of their headers.
 */
import { createHash } from "node:crypto";
import type { BuiltScript, Wait } from "./lua-scripts.ts";

const sha1 = (text: string): string => createHash("sha1").update(text).digest("hex");

/** The names allowed in a `WAIT` line, and whether each is a field of the reply or an argument. */
const WAIT_FIELDS: readonly string[] = ["until", "back", "ticket", "carries", "placed"];
const WAIT_ARGS: readonly string[] = ["waited", "seen", "clock", "grace", "class", "joins", "zero"];
const WAIT_WORDS: readonly string[] = ["many", "all"];

/** A script that a server may hold, as an entry of the table. */
function waitableText({ name, lua, sha, keys, args, replies, wait }: BuiltScript): string {
  const fail = (why: string): never => {
    throw new Error(`lua/${name}.lua: WAIT: ${why}`);
  };
  const { refusal, facts } = wait as Wait;
  const fields = replies.get(refusal) ?? fail(`there is no reply "${refusal}"`);
  for (const fact of facts.keys())
    if (![...WAIT_FIELDS, ...WAIT_ARGS, ...WAIT_WORDS].includes(fact)) fail(`"${fact}" is not known`);
  // A reply begins with its status and the server's time.
  const fieldAt = (field: string): number => {
    const at = fields.findIndex(({ name: each }) => each === field);
    return at === -1 ? fail(`"${refusal}" has no field "${field}"`) : at + 2;
  };
  const argAt = (arg: string): number => {
    const at = args.indexOf(arg.replace("#", ""));
    return at === -1 ? fail(`there is no argument "${arg}"`) : at;
  };
  const lines = [
    `name: "${name}"`,
    `shas: [${[...sha, sha1(`\n${lua}`)].map((it) => `"${it}"`).join(", ")}]`,
    `refusal: "${refusal}"`,
    `allKeys: ${keys[0]?.endsWith("…") ?? false}`,
    `notAfter: ${argAt("notAfter")}`,
    `id: ${argAt("id")}`,
  ];
  if (args.includes("note")) lines.push(`note: ${argAt("note")}`);
  for (const [fact, value] of facts) {
    if (WAIT_FIELDS.includes(fact)) lines.push(`${fact}: ${fieldAt(value)}`);
    if (fact === "ticket") lines.push(`ticketArg: ${argAt(value)}`);
    if (fact === "carries") lines.push(`carriesArg: ${argAt(value)}`);
    if (["waited", "seen", "clock", "class", "joins", "zero"].includes(fact)) lines.push(`${fact}: ${argAt(value)}`);
    if (fact === "class" && value.endsWith("#")) lines.push("classIsCount: true");
    if (fact === "grace") lines.push(/^\d+$/.test(value) ? `graceMs: ${value}` : `grace: ${argAt(value)}`);
    if (fact === "many") lines.push(`many: "${value}"`);
    if (fact === "all")
      lines.push(
        `all: [${value
          .split(",")
          .map((each) => `"${each}"`)
          .join(", ")}]`,
      );
  }
  return `  { ${lines.join(", ")} },\n`;
}

/** The table of the scripts that a server may hold. */
export function waitablesText(scripts: readonly BuiltScript[]): string {
  const rows = scripts.filter(({ wait }) => wait).map(waitableText);
  const keepsNames = ({ name }: BuiltScript): boolean => /-(extend|inspect|commit)$|^fence-|^cron-begin$/.test(name);
  const shasOf = (list: readonly BuiltScript[]): string =>
    list
      .flatMap(({ lua, sha }) => [...sha, sha1(`\n${lua}`)])
      .map((each) => `  "${each}",\n`)
      .join("");
  const keeping = scripts.filter(keepsNames);
  const freeing = scripts.filter((script) => !script.wait && !keepsNames(script));
  return `// Generated from the headers in lua/ by tools/build-lua.ts; do not edit.
import type { Waitable } from "./waitable.ts";

/** The scripts whose refusals a server may hold. */
export const WAITABLE: readonly Waitable[] = [
${rows.join("")}];

/** SHA-1s of the other scripts that free no name: they extend, read, or write a fence. */
export const KEEPING: readonly string[] = [
${shasOf(keeping)}];

/** SHA-1s of all other scripts. */
export const FREEING: readonly string[] = [
${shasOf(freeing)}];
`;
}

/**
 * The SHA-1s with which a script may be sent to the gateway. The third is that of the flagged text without its flag,
 * which leaves an empty line.
 */
export function gatewayText(scripts: readonly BuiltScript[]): string {
  const rows = scripts.map(({ name, lua, sha }) => {
    const shas = [...sha, sha1(`\n${lua}`)].map((it) => `"${it}"`).join(", ");
    return `  ["${name}", ${Buffer.byteLength(lua)}, ${shas}],\n`;
  });
  return `// Generated from lua/ by tools/build-lua.ts; do not edit.

/**
 * The scripts of leasehold: name, length of the plain text in bytes, and the SHA-1s of the plain text, of the text with
 * Upstash's flag, and of the text with the empty line that is left after the gateway has removed the flag.
 */
export const OWN_SCRIPTS: readonly (readonly [name: string, bytes: number, ...shas: string[]])[] = [
${rows.join("")}];
`;
}
