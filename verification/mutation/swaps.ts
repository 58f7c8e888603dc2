import { readFileSync } from "node:fs";

const { MUTANT_SWAPS: file } = process.env;
/** The replaced texts of source files, by address. */
export const swapped: Readonly<Record<string, string>> = file ? JSON.parse(readFileSync(file, "utf8")) : {};
