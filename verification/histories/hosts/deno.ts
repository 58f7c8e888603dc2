import { createClient } from "../client.ts";
import { createReader, toLine } from "./lines.ts";

declare const Deno: {
  readonly args: readonly string[];
  readonly stdin: { readonly readable: ReadableStream<Uint8Array> };
  readonly stdout: { writeSync(bytes: Uint8Array): number };
  exit(): never;
};

const [url = "", token = ""] = Deno.args;
const answer = createClient({ url, token });
const encoder = new TextEncoder();

function write(line: string): void {
  for (let bytes = encoder.encode(line); bytes.length > 0; ) bytes = bytes.subarray(Deno.stdout.writeSync(bytes));
}

const read = createReader(async (order) => write(toLine(await answer(order))));
const decoder = new TextDecoder();
for await (const chunk of Deno.stdin.readable) read(decoder.decode(chunk, { stream: true }));
Deno.exit();
