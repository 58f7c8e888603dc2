import { Redis } from "@upstash/redis";
import { report } from "../suite.ts";

const [url = "", token = ""] = process.argv.slice(2);
// Bun and Deno have a `process.versions.node` too, but not only that.
const { node, bun, deno } = process.versions;
process.stdout.write(JSON.stringify(await report(bun || deno ? "not Node" : `Node ${node}`, { url, token }, Redis)));
