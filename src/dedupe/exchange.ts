import type { Bytes } from "../shared/bytes.ts";
import type { HeldRequest } from "./held-request.ts";

/** The start of a response: its status, and headers by name. */
interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes a response that goes out in the handler's place. */
export type MakeResponse = (body: Bytes | string | null, head: Head) => Response;

/** One request on its way to its answer. */
export interface Exchange {
  readonly held: HeldRequest;
  /** The platform's further arguments: the arguments of the caller's functions after it. */
  readonly context: readonly unknown[];
  /** As the framework makes one, for example with the headers that other middleware has set. */
  readonly newResponse: MakeResponse;
  /** What `verify` threw, described without its message. */
  cause?: string;
}

/** The arguments of the caller's functions. The request is the one whose body nobody has read. */
export const argsOf = ({ held, context }: Exchange): [request: Request, ...context: unknown[]] => [
  held.request,
  ...context,
];

/** Makes a response without anything that other middleware has set. */
export const bareResponse: MakeResponse = (body, head) => new Response(body, head);

/** Reads the body as text, with every byte that a signature covers, a byte order mark included. */
export const bodyText = async ({ held }: Exchange): Promise<string> =>
  new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(await held.bytes());

/** Computes the SHA-256 of the body, in hexadecimal. */
export async function bodyDigest({ held }: Exchange): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await held.bytes()));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
