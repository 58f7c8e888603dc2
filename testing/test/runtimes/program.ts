import { report } from "./suite.ts";

declare const Deno: { readonly args: readonly string[] } | undefined;
declare const process: { readonly argv: readonly string[] };

const args = typeof Deno === "undefined" ? process.argv.slice(2) : Deno.args;
console.log(JSON.stringify(await report(args[0] === "whole")));
