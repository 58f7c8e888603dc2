import type { Command, Failed } from "./port.ts";

/** Parts of a command shorter than this are not secrets: numbers, statuses, modes. */
const SECRET_LENGTH = 16;
/** A shorter text is not an API token. */
const TOKEN_LENGTH = 6;
/** Longer texts are error pages and quoted requests. */
const LONGEST = 2000;

/** A machine-written word: an ID, a hash, or encoded data. Codes such as `UND_ERR_SOCKET` are kept. */
const ENCODED = /(?=[\w%+/=-]*\d)[\w%+/=-]{20,}|[\w%+/=-]{40,}/g;
/** Redis quotes the arguments of an unknown command, and `fetch` quotes the URL. */
const QUOTED = /, with args.*|\w+:\/\/\S+/gs;

const bytesOf = (text: string): number[] => Array.from(new TextEncoder().encode(text));

/** The text in Base64, at each of the three offsets, without the digits that it shares with neighbouring text. */
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

/** The encodings in which servers and proxies quote a text. */
function formsOf(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const hex = bytesOf(text).map((byte) => byte.toString(16).padStart(2, "0"));
  let percent = text;
  try {
    percent = encodeURIComponent(text);
  } catch {
    // A lone surrogate, which the SDK's own commands never contain.
  }
  return [text, json, JSON.stringify(json).slice(1, -1), percent, hex.join("")];
}

/**
 * The parts of commands that an error must not quote. Scripts are excluded, since errors of scripts contain their
 * hashes.
 */
const secretsOf = (commands: readonly Command[]): string[] =>
  commands.flatMap(([verb, ...parts]) =>
    parts.slice(/^EVAL/i.test(`${verb}`) ? 1 : 0).flatMap((part) => {
      const text = `${part}`;
      return text.length < SECRET_LENGTH ? [] : text;
    }),
  );

/**
 * Makes a function that removes secrets from a message: the API token, and any quote of the request's commands, in any
 * encoding. Nothing is kept after the first quoted part of a command, since the rest of the command follows it.
 *
 * Hundreds of commands in one request may fail alike, so the encodings and each message are computed once.
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

/** Removes secrets from one message, like {@link redactor}. */
export const redact = (message: string, commands: readonly Command[], apiToken?: string): string =>
  redactor(commands, apiToken)(message);

/** Redacts all texts of a failure that came from servers, proxies and clients, since these quote requests. */
export function redactFailure(outcome: Failed, commands: readonly Command[], apiToken?: string): Failed {
  const clean = redactor(commands, apiToken);
  const error = clean(outcome.error);
  const { cause } = outcome;
  const redacted = { ...outcome, error, cause: cause && redactedError(cause, clean) };
  if (redacted.type === "not sent") return redacted;
  const answers = redacted.answers?.map((each) =>
    each?.error === undefined ? each : { ...each, error: clean(each.error) },
  );
  return { ...redacted, answers };
}

/** A copy of the error, since the stack of an error quotes its original message. */
function redactedError(error: Error, clean: (text: string) => string): Error {
  const { name, message, code } = error as { name: string; message: string; code?: string };
  return Object.assign(new Error(clean(message)), {
    name: clean(`${name}`),
    code: code === undefined ? code : clean(`${code}`),
  });
}
