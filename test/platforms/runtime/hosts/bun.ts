import { Redis } from "@upstash/redis";
import { report } from "../suite.ts";

declare const Bun: { readonly version: string; readonly argv: readonly string[] };

const [url = "", token = ""] = Bun.argv.slice(2);
console.log(JSON.stringify(await report(`Bun ${Bun.version}`, { url, token }, Redis)));
