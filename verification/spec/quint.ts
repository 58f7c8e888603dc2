/**
 * Quint's simulator in this process, since its command takes seconds to start. It parses and checks a file, and runs
 * one of its modules with seeded random choices.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { newIdGenerator } from "@informalsystems/quint/dist/src/idGenerator.js";
import { walkExpression } from "@informalsystems/quint/dist/src/ir/IRVisitor.js";
import type { QuintEx } from "@informalsystems/quint/dist/src/ir/quintIr.js";
import { type ItfTrace, type ItfValue, ofItf, toItf } from "@informalsystems/quint/dist/src/itf.js";
import {
  parseExpressionOrDeclaration,
  parsePhase1fromText,
  parsePhase2sourceResolution,
  parsePhase3importAndNameResolution,
  parsePhase4toposort,
} from "@informalsystems/quint/dist/src/parsing/quintParserFrontend.js";
import { fileSourceResolver } from "@informalsystems/quint/dist/src/parsing/sourceResolver.js";
import { analyzeModules } from "@informalsystems/quint/dist/src/quintAnalyzer.js";
import { newRng } from "@informalsystems/quint/dist/src/rng.js";
import { Evaluator } from "@informalsystems/quint/dist/src/runtime/impl/evaluator.js";
import { newTraceRecorder } from "@informalsystems/quint/dist/src/runtime/trace.js";

/** A value of a state as plain data: maps and sets as lists, numbers as numbers. */
export type Value = string | number | boolean | readonly Value[] | { readonly [field: string]: Value };

/** A state by the names of its variables. */
export type State = Readonly<Record<string, Value>>;

export interface Simulation {
  readonly status: "ok" | "violation" | "error";
  /** The number of runs; the last one is the failed one. */
  readonly samples: number;
  /** The seed of the shown run, with which it is the first run. */
  readonly seed: bigint;
  readonly states: readonly State[];
  /** The number of runs in which each witness was seen. */
  readonly witnessed: readonly number[];
  readonly errors: readonly string[];
}

export interface SimulationOptions {
  /** The module to run; the main one by default. */
  readonly module?: string | undefined;
  readonly seed: bigint;
  readonly samples: number;
  readonly steps: number;
  readonly invariant: string;
  readonly witnesses?: readonly string[];
}

export interface Module {
  /** The value of an expression in a state whose variables have these values, in the notation of traces (ITF). */
  evaluate(expression: string, state: Readonly<Record<string, unknown>>): unknown;
  simulate(options: SimulationOptions): Simulation;
}

function plain(value: ItfValue): Value {
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(plain);
  if ("#bigint" in value) return Number(value["#bigint"]);
  if ("#set" in value) return (value["#set"] as ItfValue[]).map(plain);
  if ("#tup" in value) return (value["#tup"] as ItfValue[]).map(plain);
  if ("#map" in value) return (value["#map"] as [ItfValue, ItfValue][]).map((pair) => pair.map(plain));
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, plain(each)]));
}

/** The states of a trace. Variables are named after their modules: only the last part counts. */
const statesOf = ({ states }: ItfTrace): State[] =>
  states.map(({ "#meta": _, ...variables }) =>
    Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name.split("::").at(-1) as string, plain(value)]),
    ),
  );

/** Parses a text as the file at `path`, and checks its types and effects unless that is known already. */
function parse(path: string, text: string, isChecked: boolean) {
  const ids = newIdGenerator();
  const sources = new Map<string, string>();
  const resolver = fileSourceResolver(sources);
  const parsed = parsePhase4toposort(
    parsePhase3importAndNameResolution(
      parsePhase2sourceResolution(
        ids,
        resolver,
        resolver.lookupPath(dirname(path), basename(path)),
        parsePhase1fromText(ids, text, path),
      ),
    ),
  );
  const [complaints] = parsed.errors.length > 0 || isChecked ? [[]] : analyzeModules(parsed.table, parsed.modules);
  const errors = [...parsed.errors.map(({ message }) => message), ...complaints.map(({ message }) => message)];
  if (errors.length > 0) throw new Error(`${path}: ${errors.join("\n")}`);
  return { ...parsed, ids };
}

type Parsed = ReturnType<typeof parse>;

/** An expression in the scope of a module. */
function expressionIn({ ids, sourceMap, resolver }: Parsed, source: string, module: string): QuintEx {
  const result = parseExpressionOrDeclaration(source, "<input>", ids, sourceMap);
  if (result.kind !== "expr") throw new Error(`not an expression: ${source}`);
  resolver.switchToModule(module);
  walkExpression(resolver, result.expr);
  const [error] = resolver.errors;
  if (error) throw new Error(error.message);
  return result.expr;
}

function createEvaluate(parsed: Parsed, main: string): Module["evaluate"] {
  const random = newRng(1n);
  let evaluator: Evaluator | undefined;
  const known = new Map<string, QuintEx>();
  return (source, state) => {
    evaluator ??= new Evaluator(parsed.resolver.table, newTraceRecorder(0, random, 0), random, false);
    const built = known.get(source) ?? expressionIn(parsed, source, main);
    known.set(source, built);
    // The first evaluation registers the variables.
    if (known.size === 1) evaluator.evaluate(built);
    const [values] = ofItf({ vars: Object.keys(state), states: [state as ItfTrace["states"][0]] });
    evaluator.updateState(values as Parameters<Evaluator["updateState"]>[0]);
    const result = evaluator.evaluate(built);
    if (result.isLeft()) throw new Error(`${source}: ${result.value.message}`);
    const { states } = toItf(["value"], [recordOfOne(result.value as QuintEx)]).unwrap();
    return plain((states[0] as ItfTrace["states"][0])["value"] as ItfValue);
  };
}

function simulate(
  parsed: Parsed,
  module: string,
  { seed, samples, steps, invariant, witnesses = [] }: SimulationOptions,
): Simulation {
  const random = newRng(seed);
  const evaluator = new Evaluator(parsed.resolver.table, newTraceRecorder(2, random, 1), random, false);
  let trace: ItfTrace | undefined;
  const outcome = evaluator.simulate(
    expressionIn(parsed, "init", module),
    expressionIn(parsed, "step", module),
    expressionIn(parsed, invariant, module),
    witnesses.map((witness) => expressionIn(parsed, witness, module)),
    samples,
    steps,
    1,
    (_, __, names, states) => {
      trace = toItf(names, states).unwrap();
    },
  );
  return {
    status: outcome.status as Simulation["status"],
    samples: outcome.samples,
    seed: outcome.bestTraces[0]?.seed ?? 0n,
    states: trace ? statesOf(trace) : [],
    witnessed: outcome.witnessingTraces,
    errors: outcome.errors.map(({ message }) => message),
  };
}

/**
 * Parses a text as the file at `path`, and checks its types and effects unless that is known already. `main` is the
 * module that runs. @throws Error with all complaints.
 */
export function open(path: string, main: string, text: string = readFileSync(path, "utf8"), isChecked = false): Module {
  const parsed = parse(path, text, isChecked);
  return {
    evaluate: createEvaluate(parsed, main),
    simulate: (options) => simulate(parsed, options.module ?? main, options),
  };
}

/** A record with one field, `value`. */
const recordOfOne = (value: QuintEx): QuintEx => ({
  id: 0n,
  kind: "app",
  opcode: "Rec",
  args: [{ id: 0n, kind: "str", value: "value" }, value],
});

/** A seed for a name, the same each time. */
export const seedOf = (name: string): bigint =>
  BigInt(`0x${createHash("sha1").update(name).digest("hex").slice(0, 12)}`);
