/** An identifier, such as `TypeError` or `ERR_INVALID_ARG_TYPE`; other texts could be data. */
const asName = (text: unknown): string | undefined =>
  typeof text === "string" && /^[A-Za-z_$][\w$]{0,63}$/.test(text) ? text : undefined;

/** Finds the function and the file that threw, without the folders. */
function placeOf(error: Error): string | undefined {
  const { message, stack = "" } = error;
  const at = stack.indexOf(message);
  // The message could contain lines that look like lines of a stack.
  const [line = ""] = at < 0 ? [] : (/^\s+at .+$/m.exec(stack.slice(at + message.length)) ?? []);
  const [, called = "", where] = /^\s+at (?:(.+?) \()?(?:.*[\\/:])?([\w.-]+:\d+:\d+)\)?$/.exec(line) ?? [];
  return where && (/^[\w$.<> ]{1,80}$/.test(called) ? `${called} (${where})` : where);
}

/**
 * Describes an error by its class, its code and the place that threw it. Its message is left out: it may quote the body
 * or a secret.
 */
export function causeOf(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return `a thrown ${thrown === null ? "null" : typeof thrown}`;
    const name = asName(thrown.name) ?? "Error";
    const code = asName(Object(thrown).code);
    const place = placeOf(thrown);
    return [name, code, place && `at ${place}`].filter((part) => part).join(" ");
  } catch {
    return "an error that cannot be described";
  }
}
