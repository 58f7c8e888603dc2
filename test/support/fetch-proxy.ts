import { type Answer, type Arrived, createBook, type FaultProxy, forwardTo } from "./book.ts";
import { parseRequest } from "./wire.ts";

/** The signature of the global `fetch`, as far as the SDK uses it. */
type Send = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

const broken = (what: string): TypeError => new TypeError("fetch failed", { cause: new Error(what) });

/** The first half of a body, and then the connection breaks. */
function half({ status, headers, body }: Answer): Response {
  let pulls = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (pulls++ === 0) controller.enqueue(new TextEncoder().encode(body.slice(0, body.length / 2)));
      else controller.error(broken("the connection was closed within the answer"));
    },
  });
  return new Response(stream, { status, headers });
}

/**
 * A proxy in front of a function such as `fetch`, in any runtime: its own `fetch` goes to the client under test.
 *
 * @param url the address that `send` knows
 */
export function createFetchProxy(url: string, send: Send): FaultProxy & { readonly fetch: Send } {
  const { meet, told } = createBook((copy) => forwardTo(url, copy, {}, send));
  let away = 0;

  /** Lets a request meet what it is to meet. It ends with an answer, a broken connection, or not at all. */
  function exchange(request: Arrived): Promise<Response> {
    return new Promise((resolve, reject) => {
      const cut = (): void => reject(broken("the connection was closed"));
      meet(request, {
        forward: (headers) => forwardTo(url, request, headers, send),
        answer: ({ status, headers, body }) => resolve(new Response(body, { status, headers })),
        answerHalf: (answer) => resolve(half(answer)),
        cut,
        async away(ms) {
          away++;
          cut();
          await new Promise((back) => setTimeout(back, ms));
          away--;
        },
      }).catch(cut);
    });
  }

  const proxy: ReturnType<typeof createFetchProxy> = {
    ...told,
    url,
    async fetch(input, { headers, body, signal } = {}) {
      signal?.throwIfAborted();
      if (away > 0) throw broken("connect ECONNREFUSED");
      const sent = String(body);
      const path = String(input).slice(url.length) || "/";
      const given = Object.fromEntries(new Headers(headers));
      const answered = exchange({ path, headers: given, body: sent, answers: [], ...parseRequest(sent) });
      return new Promise((resolve, reject) => {
        answered.then(resolve, reject);
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    },
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  return proxy;
}
