import { readFileSync } from "node:fs";

const { MUTANT_SWAPS: file } = process.env;
/** The other texts of source files, by their addresses. */
export const swapped: Readonly<Record<string, string>> = file ? JSON.parse(readFileSync(file, "utf8")) : {};
