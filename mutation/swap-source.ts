/** Loaded before all else: gives one source file of the SDK another text. */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

const { MUTANT_URL: url, MUTANT_TEXT: text = "" } = process.env;

registerHooks({
  load: (asked, context, next) =>
    asked === url
      ? { format: "module-typescript", source: readFileSync(text, "utf8"), shortCircuit: true }
      : next(asked, context),
});
