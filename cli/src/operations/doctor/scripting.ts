/** Checks of the server's scripting. */
import { randomId, sha1 } from "../../../../src/shared/crypto.ts";
import { ask } from "../ask.ts";
import { type Check, fail, isObjects, ok, type Patient, warn } from "./finding.ts";

const FLAG_LINE = "#!lua flags=allow-key-locking\n";
const TRIES = 5;

/** The number of keys of a script of the checks, and the key, which it does not use: a server may find its place by it. */
const keysOf = ({ connection }: Patient): readonly [1, string] => [1, `${connection.prefix}doctor`];

/** Sends a command, and returns a Redis error as text. */
async function reply({ connection, signal }: Patient, command: readonly (string | number)[]): Promise<unknown> {
  try {
    return await ask(connection, command, signal);
  } catch (error) {
    signal?.throwIfAborted();
    return error instanceof Error ? error.message : "failed";
  }
}

export const dialect: Check = {
  name: "dialect",
  async run(patient) {
    const { connection, scrub, facts } = patient;
    const script = "return 'taken'";
    const [plain, flagged] = [
      await reply(patient, ["EVAL", script, ...keysOf(patient)]),
      await reply(patient, ["EVAL", FLAG_LINE + script, ...keysOf(patient)]),
    ];
    if (plain !== "taken" && flagged !== "taken")
      return fail(
        `scripts are refused: ${scrub(String(plain))}`,
        "use a token or user that may write and run scripts (EVAL, EVALSHA)",
      );
    const sent = connection.state.dialect;
    const says = `${sent} scripts are sent${flagged === "taken" ? "; both dialects are accepted" : ""}`;
    // Upstash under a custom host.
    if (facts.has("upstash_version") && sent === "plain")
      return warn(says, 'this is Upstash: set dialect: "flagged", or each script locks the whole database');
    return ok(says);
  },
};

export const scriptCache: Check = {
  name: "script cache",
  async run(patient) {
    const { connection, signal, facts } = patient;
    // Objects share the scripts of their isolate, which cannot be emptied.
    const mayFlush = patient.mayFlush && !isObjects(facts);
    const keys = keysOf(patient);
    const text = `${connection.state.dialect === "flagged" ? FLAG_LINE : ""}return '${randomId()}'`;
    const sha = await sha1(text);
    if (mayFlush) {
      await ask(connection, ["EVAL", text, ...keys], signal);
      await ask(connection, ["SCRIPT", "FLUSH"], signal);
    }
    const unknown = String(await reply(patient, ["EVALSHA", sha, ...keys]));
    if (!unknown.startsWith("NOSCRIPT"))
      return fail(
        `an unknown script gets ${patient.scrub(unknown)}`,
        "it must be NOSCRIPT, or clients never send a script's text: check the proxy or gateway in front of Redis",
      );
    await ask(connection, ["EVAL", text, ...keys], signal);
    let known = 0;
    for (let n = 0; n < TRIES; n++) if (text.includes(String(await reply(patient, ["EVALSHA", sha, ...keys])))) known++;
    const says = `${mayFlush ? "flushed; " : ""}after one EVAL, ${known} of ${TRIES} EVALSHA found the script`;
    if (known < TRIES)
      return warn(says, "each miss costs a second request: check whether several servers share this address");
    return ok(says);
  },
};
