import { expect, it } from "vitest";
import { DOCUMENTS, render } from "../../tools/command-output.ts";
import { textOf } from "./markdown.ts";

/** The parts that differ from run to run: times, tokens, figures, and the verdict on the pace of this machine. */
const masked = (text: string): string =>
  text
    .replace(/^(ok|warn) +(round trip|clock|clock steps|server|security) .*(\n +→.*)?$/gm, "$2")
    .replace(/\d[\d.]* (ms|s|m|h|d)\b( \d+ (s|m|h)\b)?/g, "T")
    .replace(/\d+(\.\d+)?/g, "0")
    .replace(/ +/g, " ");

it("the documents show what the command prints", async () => {
  const texts = DOCUMENTS.map(textOf);
  const rendered = await render(texts);
  for (const [at, file] of DOCUMENTS.entries()) {
    expect(texts[at]?.match(/^\$ leasehold /gm)?.length, file).toBeGreaterThan(3);
    expect(masked(texts[at] ?? ""), file).toBe(masked(rendered[at] ?? ""));
  }
});
