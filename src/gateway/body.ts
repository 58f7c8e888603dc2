import { BodyTooLarge } from "./errors.ts";

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

/** The request body as bytes, at most `limit` of them; empty when there is none. Throws {@link BodyTooLarge}. */
export async function readBytes(request: Request, limit: number): Promise<Buffer> {
  if (isDeclared(request, limit)) return Buffer.from(await request.arrayBuffer());
  return request.body === null ? Buffer.alloc(0) : counted(request.body, limit);
}

/** The request body as text, at most `limit` bytes of it. Throws {@link BodyTooLarge}. */
export async function readText(request: Request, limit: number): Promise<string> {
  if (isDeclared(request, limit)) return request.text();
  return (await readBytes(request, limit)).toString("utf8");
}
