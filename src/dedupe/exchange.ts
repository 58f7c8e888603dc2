import type { Bytes } from "../shared/bytes.ts";
import type { HeldRequest } from "./held-request.ts";

/** The start of a response: its status, and headers by name. */
interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes a response that is sent instead of the handler's. */
export type MakeResponse = (body: Bytes | string | null, head: Head) => Response;

/** One request on its way to its answer. */
export interface Exchange {
  readonly held: HeldRequest;
  /** The platform's further arguments, which follow the request in calls of the caller's functions. */
  readonly context: readonly unknown[];
  /** Makes a response as the framework does, for example with headers that other middleware has set. */
  readonly newResponse: MakeResponse;
  /** What `verify` threw, described without its message. */
  cause?: string;
}

/** The arguments of the caller's functions. The body of the request is unread. */
export const argsOf = ({ held, context }: Exchange): [request: Request, ...context: unknown[]] => [
  held.request,
  ...context,
];

/** Makes a response without anything that other middleware has set. */
export const bareResponse: MakeResponse = (body, head) => new Response(body, head);

/** Reads the body as text, with every byte that a signature covers, including a byte order mark. */
export const bodyText = async ({ held }: Exchange): Promise<string> =>
  new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(await held.bytes());

/** Computes the SHA-256 of the body, in hexadecimal. */
export async function bodyDigest({ held }: Exchange): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await held.bytes()));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
