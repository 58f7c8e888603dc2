/** The modules of the specification, with every rule or with some of them left out. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Module, open } from "./quint.ts";

/**
 * Opens a model: one of the files next to this one, which takes its rules as a constant. `rules` are the fields of
 * `Rules` in record.qnt that are not as they should be. Types are checked once, by `isChecked`.
 */
export function openModel(name: string, rules = "", isChecked = false): Module {
  const path = join(import.meta.dirname, `${name}.qnt`);
  const instance = `
module instance {
  import record.* from "./record"
  import ${name}(RULES = { ...EVERY_RULE${rules && `, ${rules}`} }).*
}
`;
  return open(path, "instance", readFileSync(path, "utf8") + instance, !isChecked);
}

/** The server alone: `ran` is what it makes of a request, from any record. */
export function openServer(): Module {
  const path = join(import.meta.dirname, "record.qnt");
  const text = `${readFileSync(path, "utf8")}
module instance {
  import record.*
  var before: Record
  var request: Request
  var clock: int
  val ran: Ran = serve(EVERY_RULE, before, request, clock)
}
`;
  return open(path, "instance", text, true);
}
