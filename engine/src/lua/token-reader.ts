import { createLexer, failNear, type Token } from "./lexer.ts";
import type { FunctionNode, Identifier } from "./syntax.ts";

type Location = { readonly start: { readonly line: number }; readonly end: { readonly line: number } };

/** The tokens of a script, with one token of looking ahead. */
export function createReader(text: string) {
  const next = createLexer(text);
  let current = next();
  let ahead: Token | undefined;
  let lastLine = 1;
  const reader = {
    get token() {
      return current;
    },
    is: (type: string): boolean => current.type === type,
    /** The line of the token that was taken last. */
    get lastLine() {
      return lastLine;
    },
    take(): Token {
      const taken = current;
      lastLine = taken.line;
      current = ahead ?? next();
      ahead = undefined;
      return taken;
    },
    peek(): Token {
      ahead ??= next();
      return ahead;
    },
    accept: (type: string): boolean => current.type === type && reader.take() !== undefined,
    fail: (message: string): never => failNear(message, current.line, current.text),
    expect(type: string): void {
      if (!reader.accept(type)) reader.fail(`'${type === "eof" ? "<eof>" : type}' expected`);
    },
    /** Expects what closes something that was opened in a line. */
    close(type: string, opened: string, line: number): void {
      if (reader.accept(type)) return;
      reader.fail(`'${type}' expected${line === current.line ? "" : ` (to close '${opened}' at line ${line})`}`);
    },
    name(): Identifier {
      if (current.type !== "name") reader.fail("<name> expected");
      const { value, line } = reader.take();
      return { type: "Identifier", name: String(value), loc: { start: { line }, end: { line } } };
    },
    from: (line: number): Location => ({ start: { line }, end: { line: lastLine } }),
  };
  return reader;
}
export type Reader = ReturnType<typeof createReader>;

/** The function that is being read. */
export interface Within {
  readonly isVararg: boolean;
  loops: number;
  /** Reads a function from its parameters to its `end`. */
  readonly functionBody: (reader: Reader, line: number) => FunctionNode;
}
