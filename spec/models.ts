/** The modules of the specification, with every rule or with some of them left out. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Module, open } from "./quint.ts";

const opened = new Map<string, Module>();

/** Opens a text once: that takes about a second. */
function openOnce(file: string, instance: string, isChecked: boolean): Module {
  const path = join(import.meta.dirname, file);
  const text = `${readFileSync(path, "utf8")}\n${instance}`;
  const module = opened.get(text) ?? open(path, "instance", text, !isChecked);
  opened.set(text, module);
  return module;
}

/**
 * Opens a model: one of the files next to this one, which takes its rules as a constant. `rules` are the fields of
 * `Rules` in record.qnt that are not as they should be. With `isChecked` its types and effects are checked too.
 */
export function openModel(name: string, rules = "", isChecked = false): Module {
  return openOnce(
    `${name}.qnt`,
    `module instance {
  import record.* from "./record"
  import ${name}(RULES = { ...EVERY_RULE${rules && `, ${rules}`} }).*
}`,
    isChecked,
  );
}

/** The server alone: `ran` is what it makes of a request, from any record. */
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
