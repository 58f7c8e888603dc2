import type { Budget } from "../budget.ts";
import { createLexer, failNear, type Token } from "./lexer.ts";
import type { FunctionNode, Identifier } from "./syntax.ts";

type Location = { readonly start: { readonly line: number }; readonly end: { readonly line: number } };

/** The tokens of a script, with a lookahead of one. */
export interface Reader {
  readonly token: Token;
  /** The line of the last consumed token. */
  readonly lastLine: number;
  /** The number of consumed tokens. */
  readonly count: number;
  is(type: string): boolean;
  take(): Token;
  peek(): Token;
  /** Consumes the next token if it has this type, and returns whether it did. */
  accept(type: string): boolean;
  /** Begins a block or an expression in those that have not ended. @throws SyntaxFailure if these are too many */
  enter(): void;
  leave(): void;
  /** @throws a syntax error at the current token. */
  fail(message: string): never;
  expect(type: string): void;
  /** Expects the token that closes a construct opened in a line. */
  close(type: string, opened: string, line: number): void;
  name(): Identifier;
  /** The location from a line to the last consumed token. */
  from(line: number): Location;
}

/** The maximum number of blocks and expressions inside each other, as in Lua. */
const MAX_LEVELS = 200;

/** The work of compiling a script besides that of its tokens, and the work and the memory of parsing and compiling one. */
const SCRIPT_STEPS = 200;
const TOKEN_STEPS = 25;
const TOKEN_BYTES = 400;

/**
 * @param outer the number of levels that are in use already
 * @param budget counts what the tokens cost to compile
 */
export function createReader(text: string, outer: number, budget: Budget): Reader {
  budget.spend(SCRIPT_STEPS);
  budget.read(text.length);
  let levels = outer;
  const next = createLexer(text);
  let current = next();
  let ahead: Token | undefined;
  let lastLine = 1;
  let count = 0;
  const reader: Reader = {
    get token() {
      return current;
    },
    is: (type) => current.type === type,
    get lastLine() {
      return lastLine;
    },
    get count() {
      return count;
    },
    take() {
      budget.spend(TOKEN_STEPS);
      budget.allot(TOKEN_BYTES);
      count++;
      const taken = current;
      lastLine = taken.line;
      current = ahead ?? next();
      ahead = undefined;
      return taken;
    },
    peek() {
      ahead ??= next();
      return ahead;
    },
    accept: (type) => current.type === type && reader.take() !== undefined,
    enter() {
      if (++levels > MAX_LEVELS) failNear("chunk has too many syntax levels", current.line);
    },
    leave: () => void levels--,
    fail: (message) => failNear(message, current.line, current.text),
    expect(type) {
      if (!reader.accept(type)) reader.fail(`'${type === "eof" ? "<eof>" : type}' expected`);
    },
    close(type, opened, line) {
      if (reader.accept(type)) return;
      reader.fail(`'${type}' expected${line === current.line ? "" : ` (to close '${opened}' at line ${line})`}`);
    },
    name() {
      if (current.type !== "name") reader.fail("<name> expected");
      const { value, line } = reader.take();
      return { type: "Identifier", name: String(value), loc: { start: { line }, end: { line } } };
    },
    from: (line) => ({ start: { line }, end: { line: lastLine } }),
  };
  return reader;
}
/** The maximum number of visible local variables of a function, as in Lua. */
const MAX_LOCALS = 200;

/** The function being read. */
export interface Within {
  /** The line where it begins; 0 for the script. */
  readonly line: number;
  readonly isVararg: boolean;
  /** The number of visible local variables. */
  locals: number;
  loops: number;
  /** Reads a function from its parameters to its `end`. */
  readonly functionBody: (reader: Reader, line: number) => FunctionNode;
}

/** Declares local variables. @throws SyntaxFailure for too many */
export function declare(reader: Reader, within: Within, count = 1): void {
  within.locals += count;
  if (within.locals <= MAX_LOCALS) return;
  const name = within.line === 0 ? "main function" : `function at line ${within.line}`;
  failNear(`${name} has more than ${MAX_LOCALS} local variables`, reader.token.line);
}
