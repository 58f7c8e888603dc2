/** The modules of the specification, with every rule or with some of them left out. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Module, open } from "./quint.ts";
import { OWN_RULES } from "./rules.ts";

const opened = new Map<string, Module>();

/** Opens a text once, which takes about a second. `main` is one of the appended instances. */
function openOnce(
  file: string,
  instances: string,
  isChecked: boolean,
  main = "instance",
  change = (text: string): string => text,
): Module {
  const path = join(import.meta.dirname, file);
  const text = `${change(readFileSync(path, "utf8"))}\n${instances}`;
  const module = opened.get(text) ?? open(path, main, text, !isChecked);
  opened.set(text, module);
  return module;
}

/** A model that does not describe the scripts has its own rules, in a module before it. */
const rulesOf = (name: string): string => (OWN_RULES.includes(name) ? `${name}Rules.*` : 'record.* from "./record"');

const instanceOf = (name: string, rules: string, instance = "instance"): string => `module ${instance} {
  import ${rulesOf(name)}
  import ${name}(RULES = { ...EVERY_RULE${rules && `, ${rules}`} }).*
}`;

/**
 * Opens a model: one of the files next to this one, with its rules as a constant. `rules` are the changed fields of the
 * rules. With `isChecked` its types and effects are checked as well.
 */
export function openModel(name: string, rules = "", isChecked = false): Module {
  return openOnce(`${name}.qnt`, instanceOf(name, rules), isChecked);
}

/** Opens a model whose text is changed, to show that a comparison notices it. */
export function openChanged(name: string, change: (text: string) => string): Module {
  return openOnce(`${name}.qnt`, instanceOf(name, ""), false, "instance", change);
}

/**
 * Opens a model with several sets of rules together, since parsing takes most of the time. Each has its own module:
 * `broken0` and so on.
 */
export function openBroken(name: string, sets: readonly string[]): Module {
  const instances = sets.map((rules, index) => instanceOf(name, rules, `broken${index}`));
  return openOnce(`${name}.qnt`, instances.join("\n"), false, "broken0");
}

/** The server alone: `ran` is its reaction to a request, for any record. */
export function openServer(): Module {
  return openOnce(
    "record.qnt",
    `module instance {
  import record.*
  var before: Record
  var request: Request
  var clock: int
  val ran: Ran = serve(EVERY_RULE, before, request, clock)
}`,
    false,
  );
}
