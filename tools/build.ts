/** Builds `dist/`: plain ES modules with their types, one per source file, so that bundlers drop what is not used. */
import { execFileSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";

rmSync("dist", { recursive: true, force: true });
execFileSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
chmodSync("dist/cli.js", 0o755);
