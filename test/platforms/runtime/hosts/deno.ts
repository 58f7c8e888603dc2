import { Redis } from "@upstash/redis";
import { report } from "../suite.ts";

declare const Deno: { readonly version: { readonly deno: string }; readonly args: readonly string[] };

const [url = "", token = ""] = Deno.args;
console.log(JSON.stringify(await report(`Deno ${Deno.version.deno}`, { url, token }, Redis)));
