/** A server of the tools over stdio: `node stdio.ts v1|v2 URL TOKEN NAME SCOPE`. */
import { serveStdioOfV1 } from "./v1.ts";
import { serveStdioOfV2 } from "./v2.ts";

const [sdk, url = "", token = "", name = "", scope = ""] = process.argv.slice(2);
const options = { url, token, name, scope: scope || undefined };
if (sdk === "v1") await serveStdioOfV1(options);
else serveStdioOfV2(options);
