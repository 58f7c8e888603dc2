/** The head of an HTTP request. A client may send the same one again and again. */
export interface RequestHead {
  readonly method: string;
  /** The path and the query, or another target, as it was sent. */
  readonly target: string;
  /** Whether it is in HTTP/1.0. */
  readonly isOld: boolean;
  /** Whether the client means to go on with the connection. */
  readonly isKeptAlive: boolean;
  /** Whether it has come before on its connection, byte for byte; then it is the same object. */
  isRepeated: boolean;
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

class Head implements RequestHead {
  readonly method: string;
  readonly target: string;
  readonly isOld: boolean;
  readonly isKeptAlive: boolean;
  isRepeated = false;
  readonly #names: readonly string[];
  readonly #values: readonly string[];

  constructor({ method, target, isOld, isKeptAlive, names, values }: Fields) {
    this.method = method;
    this.target = target;
    this.isOld = isOld;
    this.isKeptAlive = isKeptAlive;
    this.#names = names;
    this.#values = values;
  }

  header(name: string): string | undefined {
    let found: string | undefined;
    for (let at = 0; at < this.#names.length; at++) {
      if (!isNamed(this.#names[at] ?? "", name)) continue;
      const value = trimmed(this.#values[at] ?? "");
      found = found === undefined ? value : `${found}, ${value}`;
    }
    return found;
  }

  count(name: string): number {
    return this.#names.filter((given) => isNamed(given, name)).length;
  }
}

export const createHead = (fields: Fields): RequestHead => new Head(fields);
