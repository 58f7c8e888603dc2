import { type Format, formatOf, type WordForm, wordsInPath } from "leasehold-engine/rest";
import type { HttpRequest } from "../http/message.ts";
import type { Command } from "../redis/backend.ts";
import { BadRequest } from "../shared/error-answers.ts";

/**
 * The format of a transaction, which is answered in JSON only; otherwise like `formatOf`.
 *
 * @throws {BadRequest}
 */
export function formatOfTransaction(request: HttpRequest): Format {
  const format = formatOf(request);
  if (format === "resp2") throw new BadRequest("a transaction is not answered in resp2");
  return format;
}

const WORDS: WordForm<string | Buffer> = {
  ofText: (text) => text,
  ofBytes: (bytes) => Buffer.from(bytes, "latin1"),
};

/** The command in a path and its body. @throws {BadRequest} without a name */
export const commandInPath = (target: string, body: Buffer): Command =>
  wordsInPath(target, body.length > 0 ? body : undefined, WORDS);

const LARGE_BYTES = 64 * 1024;

/** Whether a body is so large that parsing it would delay other requests. */
export const isLarge = (body: Buffer): boolean => body.length > LARGE_BYTES;
