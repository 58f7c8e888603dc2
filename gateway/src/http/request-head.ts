/** The head of an HTTP request. */
export interface RequestHead {
  readonly method: string;
  /** The path and the query, or another target, as it was sent. */
  readonly target: string;
  /** Whether it is in HTTP/1.0. */
  readonly isOld: boolean;
  /** Whether the client means to go on with the connection. */
  readonly isKeptAlive: boolean;
  /** A header by its name in lower case. Several of one name are joined by a comma and a space. */
  header(name: string): string | undefined;
  /** How many headers have a name. */
  count(name: string): number;
}

interface Fields extends Pick<RequestHead, "method" | "target" | "isOld" | "isKeptAlive"> {
  readonly names: readonly string[];
  readonly values: readonly string[];
}

const isNamed = (given: string, name: string): boolean =>
  given.length === name.length && (given === name || given.toLowerCase() === name);

/** The value without the spaces and tabs after it. */
function trimmed(value: string): string {
  let end = value.length;
  while (end > 0 && (value[end - 1] === " " || value[end - 1] === "\t")) end--;
  return end === value.length ? value : value.slice(0, end);
}

export function createHead({ method, target, isOld, isKeptAlive, names, values }: Fields): RequestHead {
  return {
    method,
    target,
    isOld,
    isKeptAlive,
    header(name) {
      let found: string | undefined;
      for (let at = 0; at < names.length; at++) {
        if (!isNamed(names[at] ?? "", name)) continue;
        const value = trimmed(values[at] ?? "");
        found = found === undefined ? value : `${found}, ${value}`;
      }
      return found;
    },
    count: (name) => names.filter((given) => isNamed(given, name)).length,
  };
}
