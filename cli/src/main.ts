#!/usr/bin/env node
import { runCommand } from "./run.ts";

const ended = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    // The second one ends the process immediately.
    if (ended.signal.aborted) process.exit(130);
    ended.abort(new Error(signal));
  });
// The reader of a pipe may close it early, like `head`.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });

const { stdin: input, stdout: output, stderr: errors, env } = process;
process.exitCode = await runCommand(process.argv.slice(2), { input, output, errors, env, signal: ended.signal });
