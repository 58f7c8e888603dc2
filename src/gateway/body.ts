import { BodyMissing, BodyTooLarge } from "./errors.ts";

const NO_BODY = Buffer.alloc(0);

/** What a body fails with that is not read to its end is the client's doing, and no error of the gateway. */
function missing(error: unknown): never {
  throw error instanceof BodyTooLarge ? error : new BodyMissing();
}

async function counted(stream: ReadableStream<Uint8Array>, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > limit) throw new BodyTooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** True when the body's length is known beforehand; the HTTP server holds the sender to it. Throws when it is over the limit. */
function isDeclared(request: Request, limit: number): boolean {
  const length = request.headers.get("content-length");
  if (Number(length) > limit) throw new BodyTooLarge(limit);
  return length !== null;
}

/**
 * The request body as bytes, at most `limit` of them; empty when there is none.
 *
 * @throws {BodyTooLarge} and {@link BodyMissing}
 */
export async function readBytes(request: Request, limit: number): Promise<Buffer> {
  const declared = isDeclared(request, limit);
  // These have none, and to ask for it would make a whole web request of what the adapter hands over.
  if (request.method === "GET" || request.method === "HEAD") return NO_BODY;
  if (declared) return Buffer.from(await request.arrayBuffer().catch(missing));
  return request.body === null ? NO_BODY : counted(request.body, limit).catch(missing);
}

/** The request body as text, at most `limit` bytes of it. Throws as {@link readBytes} does. */
export async function readText(request: Request, limit: number): Promise<string> {
  if (isDeclared(request, limit)) return request.text().catch(missing);
  // As `text` does it: without the mark that some editors begin a file with.
  return new TextDecoder().decode(await readBytes(request, limit));
}
