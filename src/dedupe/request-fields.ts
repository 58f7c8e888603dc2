/** Returns a field of a JSON object; undefined if there is none. */
export function field(text: string, name: string): unknown {
  try {
    return (JSON.parse(text) as Record<string, unknown> | null)?.[name];
  } catch {
    return undefined;
  }
}

/** Returns a field of a JSON object, if it is text. */
export function textField(text: string, name: string): string | undefined {
  const value = field(text, name);
  return typeof value === "string" ? value : undefined;
}

/** Returns a header that is one word. The platform joins repeated headers by a comma, which is rejected. */
export function word({ headers }: Request, name: string): string | undefined {
  const value = headers.get(name);
  return value !== null && /^[!-+\--~]{1,256}$/.test(value) ? value : undefined;
}
