/**
 * Copies llhttp, the parser of Node's own HTTP server, into the gateway as WebAssembly. No package publishes only that;
 * undici, which the same people maintain, contains it, so the file is extracted from a fixed version of undici.
 *
 *   node tools/vendor-llhttp.ts
 *
 * To use another version, change the three constants. The version of llhttp is in the title of the undici change that
 * updated it.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LLHTTP = "9.3.1";
const UNDICI = "8.2.0";
const SHA256 = "ab4573a06c43574936dc98c3943b10a4ee32798e9797329e9f327e5f64115f54";

const TARGET = new URL("../gateway/src/http/llhttp.gen.ts", import.meta.url);
const IN_PACKAGE = "package/lib/llhttp/llhttp-wasm.js";

/** llhttp as base64, from the package of undici. */
function fetched(): string {
  const folder = mkdtempSync(join(tmpdir(), "llhttp-"));
  try {
    const packed = execFileSync("npm", ["pack", `undici@${UNDICI}`, "--silent"], { cwd: folder, encoding: "utf8" });
    execFileSync("tar", ["xzf", packed.trim(), IN_PACKAGE], { cwd: folder });
    const base64 = /'([A-Za-z\d+/=]{1000,})'/.exec(readFileSync(join(folder, IN_PACKAGE), "utf8"))?.[1];
    if (base64 === undefined) throw new Error(`undici ${UNDICI} has no ${IN_PACKAGE} as it used to be`);
    return base64;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const base64 = fetched();
const found = createHash("sha256").update(Buffer.from(base64, "base64")).digest("hex");
if (found !== SHA256) throw new Error(`llhttp of undici ${UNDICI} has the SHA-256 ${found}`);
writeFileSync(
  TARGET,
  `// Written by tools/vendor-llhttp.ts. Do not edit.
//
// llhttp ${LLHTTP} (https://github.com/nodejs/llhttp) as WebAssembly, as undici ${UNDICI} has it. Its license (MIT):
//
// Copyright Fedor Indutny, 2018.
//
// Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
// documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
// rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
// persons to whom the Software is furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
// Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
// WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
// COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
// OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

export const LLHTTP_VERSION = "${LLHTTP}";
export const LLHTTP_SHA256 = "${SHA256}";
/** The module, as base64. */
export const LLHTTP: string =
  "${base64}";
`,
);
