import type { Bytes } from "../shared/bytes.ts";

/** A request and its answer, in the shape of Hono's context: that of Hono itself, or one that is made like it. */
export interface Context {
  readonly req: {
    readonly method: string;
    readonly url: string;
    header(name: string): string | undefined;
  };
  /** The error that the handler ended with. */
  readonly error: unknown;
  /** Whether there is an answer. */
  readonly finalized: boolean;
  /** The answer. Before another one is set it has to be cleared, or the headers of both go out. */
  get res(): Response;
  set res(response: Response | undefined);
  /** Makes a response that includes the headers which other middleware has set. */
  newResponse(body: string | null, init: { status: 200; headers: Record<string, string> }): Response;
}

/** The body of a request: read at most once, and still readable for the handler. */
export interface RequestBody {
  /** Reads the body. From then on {@link RequestBody.restore} can restore it. */
  bytes(): Promise<Bytes>;
  /** Makes the body readable again, in every way of the platform, after other code may have read it. */
  restore(): void;
  /** Gives the request to the handler: a body that nobody has read is not kept any more, and may be streamed. */
  release(): void;
}

/** One request, as the framework that it came by has it. */
export interface Exchange {
  readonly c: Context;
  readonly body: RequestBody;
  /** The arguments of the caller's functions: first the context of Hono or the request, then all others. */
  readonly args: readonly [first: unknown, ...rest: unknown[]];
  /** What `verify` threw, described without its message. */
  cause?: string;
}

/** Reads the body as text, with every byte that a signature covers, a byte order mark included. */
export const bodyText = async ({ body }: Exchange): Promise<string> =>
  new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(await body.bytes());

/** Computes the SHA-256 of the body, in hexadecimal. */
export async function bodyDigest({ body }: Exchange): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await body.bytes()));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
