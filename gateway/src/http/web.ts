import { isBodiless } from "leasehold-engine/rest";
import type { Hold } from "../shared/budget.ts";
import { BodyMissing, BodyTooLarge, GatewayError } from "../shared/error-answers.ts";
import { createCollector } from "./body-collector.ts";
import type { HttpRequest, HttpResponse } from "./message.ts";

async function bodyOf(request: Request, limit: number, room: Hold): Promise<Buffer> {
  if (Number(request.headers.get("content-length")) > limit) throw new BodyTooLarge(limit);
  const collector = createCollector(limit, room);
  if (request.body === null || isBodiless(request.method)) return collector.whole();
  try {
    for await (const chunk of request.body) {
      // A request constructed in code can have any chunks.
      if (!(chunk instanceof Uint8Array)) throw new BodyMissing();
      collector.add(chunk);
    }
  } catch (error) {
    throw error instanceof GatewayError ? error : new BodyMissing();
  }
  return collector.whole();
}

function whenAborted(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener();
  else signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}

/** A web-standard request. Its URL is not parsed again, since that would change arguments. */
export function fromWeb(request: Request): HttpRequest {
  const { method, url, headers } = request;
  const [whole = ""] = url.split("#", 1);
  const start = whole.indexOf("/", whole.indexOf("://") + 3);
  return {
    method,
    target: start === -1 ? "/" : whole.slice(start),
    header: (name) => headers.get(name) ?? undefined,
    body: (limit, room) => bodyOf(request, limit, room),
    whenUnwanted: (listener) => whenAborted(request.signal, listener),
  };
}

function asInit(body: HttpResponse["body"]): BodyInit | null {
  if (body === null || typeof body === "string" || body instanceof ReadableStream) return body;
  return Buffer.concat(Buffer.isBuffer(body) ? [body] : body);
}

/** A web-standard response. It belongs to the caller, so its bytes no longer count. */
export function toWeb({ status, headers, body, gone }: HttpResponse, method: string): Response {
  gone?.();
  return new Response(method === "HEAD" ? null : asInit(body), { status, headers });
}
