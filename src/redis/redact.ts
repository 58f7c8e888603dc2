import type { Command, Failed } from "./port.ts";

/** Parts of a command that are shorter than this are no secrets: numbers, statuses, modes. */
const SECRET_LENGTH = 16;
/** An API token that is shorter than this is none. */
const TOKEN_LENGTH = 6;
/** Longer texts are error pages and quoted requests. */
const LONGEST = 2000;

/** A word that no person has written: an id, a hash, or something encoded. Codes such as `UND_ERR_SOCKET` stay. */
const ENCODED = /(?=[\w%+/=-]*\d)[\w%+/=-]{20,}|[\w%+/=-]{40,}/g;
/** Redis quotes the arguments of a command that it does not know, and `fetch` the URL. */
const QUOTED = /, with args.*|\w+:\/\/\S+/gs;

const bytesOf = (text: string): number[] => Array.from(new TextEncoder().encode(text));

/**
 * The text in Base64, at every offset at which it may begin there: without the digits that it shares with its
 * neighbours.
 */
function inBase64(text: string): string[] {
  const bytes = bytesOf(text);
  return [0, 1, 2].flatMap((before) => {
    const padded = [...Array.from({ length: before }, () => 0), ...bytes];
    const digits = btoa(String.fromCharCode(...padded));
    const first = Math.ceil((before * 8) / 6);
    const own = digits.slice(first, Math.floor((padded.length * 8) / 6));
    return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

/** The ways in which servers and proxies write a text that they quote. */
function formsOf(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const hex = bytesOf(text).map((byte) => byte.toString(16).padStart(2, "0"));
  let percent = text;
  try {
    percent = encodeURIComponent(text);
  } catch {
    // A lone surrogate, which our own commands never have.
  }
  return [text, json, JSON.stringify(json).slice(1, -1), percent, hex.join("")];
}

/** The parts of commands that an error must not quote, other than scripts, whose hashes errors of scripts contain. */
const secretsOf = (commands: readonly Command[]): string[] =>
  commands.flatMap(([verb, ...parts]) =>
    parts.slice(/^EVAL/i.test(`${verb}`) ? 1 : 0).flatMap((part) => {
      const text = `${part}`;
      return text.length < SECRET_LENGTH ? [] : text;
    }),
  );

/**
 * Makes a function that removes from a message what proves ownership: the API token, and what it quotes of the commands
 * that went out in the same request, in whatever form. Where a part of a command begins, the rest of the command
 * follows: nothing is kept after it.
 *
 * Hundreds of commands in one request may fail alike, so the forms are made once, and so is each message.
 */
function redactor(commands: readonly Command[], apiToken = ""): (message: string) => string {
  const done = new Map<string, string>();
  let forms: { readonly ofToken: readonly string[]; readonly ofCommands: readonly string[] } | undefined;

  function clean(whole: string): string {
    forms ??= {
      ofToken: apiToken.length >= TOKEN_LENGTH ? [...formsOf(apiToken), ...inBase64(apiToken)] : [],
      ofCommands: [...new Set([...new Set(secretsOf(commands))].flatMap(formsOf))],
    };
    // The last word may be half of a secret.
    let text = whole.length > LONGEST ? whole.slice(0, LONGEST).replace(/[^\s"']*$/, "…") : whole;
    text = text.replace(QUOTED, "…");
    for (const form of forms.ofToken) text = text.replaceAll(form, "…");
    for (const form of forms.ofCommands) {
      const at = text.indexOf(form);
      if (at >= 0) text = `${text.slice(0, at)}…`;
    }
    return text.replace(ENCODED, "…");
  }

  return (message) => {
    const whole = `${message}`;
    const text = done.get(whole) ?? clean(whole);
    done.set(whole, text);
    return text;
  };
}

/** Removes from one message what proves ownership, as {@link redactor} does. */
export const redact = (message: string, commands: readonly Command[], apiToken?: string): string =>
  redactor(commands, apiToken)(message);

/** Redacts all texts of a failure that came from outside: servers, proxies and clients quote what was sent. */
export function redactFailure(outcome: Failed, commands: readonly Command[], apiToken?: string): Failed {
  const clean = redactor(commands, apiToken);
  const error = clean(outcome.error);
  if (outcome.type === "refused") {
    const answers = outcome.answers?.map((each) =>
      each?.error === undefined ? each : { ...each, error: clean(each.error) },
    );
    return { ...outcome, error, answers };
  }
  const { cause } = outcome;
  return { ...outcome, error, cause: cause && redactedError(cause, clean) };
}

/** The error anew: the stack of an error quotes the message that it was made with. */
function redactedError(error: Error, clean: (text: string) => string): Error {
  const { name, message, code } = error as { name: string; message: string; code?: string };
  return Object.assign(new Error(clean(message)), {
    name: clean(`${name}`),
    code: code === undefined ? code : clean(`${code}`),
  });
}
