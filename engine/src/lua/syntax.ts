/** A part of a script that may run many times. */
export interface Repeated {
  /** How many tokens it has, which bounds the work of one run without the loops and calls in it. */
  readonly tokens: number;
}
interface Positioned {
  readonly loc: { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
  /** An expression in parentheses is one value. */
  inParens?: boolean;
}
export interface Identifier extends Positioned {
  readonly type: "Identifier";
  readonly name: string;
}
export interface FunctionNode extends Positioned, Repeated {
  readonly type: "FunctionDeclaration";
  readonly identifier: Identifier | Member | null;
  readonly isLocal: boolean;
  readonly parameters: readonly Identifier[];
  readonly isVararg: boolean;
  readonly body: readonly Statement[];
}
interface Member extends Positioned {
  readonly type: "MemberExpression";
  readonly indexer: "." | ":";
  readonly identifier: Identifier;
  readonly base: Expression;
}
interface Index extends Positioned {
  readonly type: "IndexExpression";
  readonly base: Expression;
  readonly index: Expression;
}
export interface Call extends Positioned {
  readonly type: "CallExpression";
  readonly base: Expression;
  readonly arguments: readonly Expression[];
}
export type Field =
  | { readonly type: "TableKey"; readonly key: Expression; readonly value: Expression }
  | { readonly type: "TableKeyString"; readonly key: Identifier; readonly value: Expression }
  | { readonly type: "TableValue"; readonly value: Expression };
type Literal = Positioned &
  (
    | { readonly type: "StringLiteral"; readonly value: string }
    | { readonly type: "NumericLiteral"; readonly value: number }
    | { readonly type: "BooleanLiteral"; readonly value: boolean }
    | { readonly type: "NilLiteral" | "VarargLiteral" }
  );
interface Binary extends Positioned {
  readonly type: "BinaryExpression" | "LogicalExpression";
  readonly operator: string;
  readonly left: Expression;
  readonly right: Expression;
}
interface Unary extends Positioned {
  readonly type: "UnaryExpression";
  readonly operator: string;
  readonly argument: Expression;
}
interface Constructor extends Positioned {
  readonly type: "TableConstructorExpression";
  readonly fields: readonly Field[];
}
export type Target = Identifier | Member | Index;
export type Expression = Target | Call | Literal | Binary | Unary | Constructor | FunctionNode;

type Block = readonly Statement[];
export interface NumericFor extends Positioned, Repeated {
  readonly type: "ForNumericStatement";
  readonly variable: Identifier;
  readonly start: Expression;
  readonly end: Expression;
  readonly step: Expression | null;
  readonly body: Block;
}
export interface GenericFor extends Positioned, Repeated {
  readonly type: "ForGenericStatement";
  readonly variables: readonly Identifier[];
  readonly iterators: readonly Expression[];
  readonly body: Block;
}
export interface If extends Positioned {
  readonly type: "IfStatement";
  readonly clauses: readonly { readonly condition?: Expression; readonly body: Block }[];
}
export interface Loop extends Positioned, Repeated {
  readonly type: "WhileStatement" | "RepeatStatement";
  readonly condition: Expression;
  readonly body: Block;
}
/** A whole script. */
export interface Chunk extends Repeated {
  readonly body: Block;
}
export type Statement =
  | FunctionNode
  | NumericFor
  | GenericFor
  | If
  | Loop
  | (Positioned &
      (
        | {
            readonly type: "LocalStatement";
            readonly variables: readonly Identifier[];
            readonly init: readonly Expression[];
          }
        | {
            readonly type: "AssignmentStatement";
            readonly variables: readonly Target[];
            readonly init: readonly Expression[];
          }
        | { readonly type: "CallStatement"; readonly expression: Call }
        | { readonly type: "DoStatement"; readonly body: Block }
        | { readonly type: "ReturnStatement"; readonly arguments: readonly Expression[] }
        | { readonly type: "BreakStatement" }
      ));
