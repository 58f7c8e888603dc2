/** The path of a request target, without its query. */
export function pathOf(target: string): string {
  const end = target.indexOf("?");
  return end === -1 ? target : target.slice(0, end);
}

const DOTS = /^[^?#]*\/(?:\.|%2e){1,2}(?:[/?#]|$)/i;

/** Whether a request target has segments that `URL` removes, and with them whole arguments and commands. */
export const hasDots = (target: string): boolean => DOTS.test(target);

/**
 * Decodes percent escapes. Bytes that are not UTF-8 come back as a buffer, so that the path form is as binary-safe as
 * the body. A `%` without two digits stands for itself, as in URLs.
 */
export function decode(text: string): string | Buffer {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    const bytes = Buffer.from(text).toString("latin1");
    const unescaped = bytes.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return Buffer.from(unescaped, "latin1");
  }
}

/** The decoded query parameters in their order: `EX=100` gives a pair, `NX` only a name. */
export function queryPairs(target: string): (string | Buffer)[][] {
  const mark = target.indexOf("?");
  if (mark === -1) return [];
  const query = target.slice(mark + 1);
  const parts = query.split("&").filter((part) => part !== "");
  return parts.map((part) => {
    const form = part.replaceAll("+", " ");
    const equals = form.indexOf("=");
    return equals === -1 ? [decode(form)] : [decode(form.slice(0, equals)), decode(form.slice(equals + 1))];
  });
}
