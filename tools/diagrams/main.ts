/** Writes the diagrams of the documents: `node tools/diagrams/main.ts`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DIAGRAMS } from "./pictures.ts";

for (const [file, text] of DIAGRAMS) writeFileSync(join(import.meta.dirname, "../../docs", file), text);
