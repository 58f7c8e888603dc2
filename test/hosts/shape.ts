/** The form of the table: a shape is a host, what it has between the wire and the adapter, and what it can do. */
import type { Application } from "./application.ts";

/** A body that is sent to every shape. */
export interface SentBody {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** `bytes` without their `Content-Encoding`. */
  readonly decoded?: Uint8Array<ArrayBuffer>;
}

/**
 * What becomes of a body:
 *
 * - `whole`: the handler has every byte, as it was sent, or with the host's decoding undone;
 * - a number: the host itself refuses the type, with this status;
 * - a pattern: the adapter refuses it before the handler runs, with this message.
 */
export type Outcome = "whole" | "decoded" | number | RegExp;

/** A server that runs. */
export interface Running {
  readonly url: string;
  readonly close: () => Promise<unknown>;
}

/** One row of the table. */
export interface Shape {
  readonly name: string;
  /** Starts a server whose every path is the application. An error becomes a 500 with the error as its text. */
  readonly start: (application: Application) => Promise<Running>;
  /** Default: every body is whole. */
  readonly outcomeOf?: (body: SentBody, chunked: boolean) => Outcome;
  /**
   * The origin of the URL behind a proxy that names `https` and `public.example:8443`: by default the public one, since
   * the host is told to trust the proxy. `own` if the host has no such setting, also with another protocol or as
   * `localhost`; a text if the host has a name of its own.
   */
  readonly origin?: "own" | "https own" | "https localhost" | (string & {});
  /** The path under which the application is mounted. */
  readonly base?: string;
  /** The path before a route's name, which the host adds. */
  readonly stage?: string;
  /** Which of several lines of a header reach the application; by default all. */
  readonly repeated?: "last";
  /** How many cookies an answer may have; by default any number. A second one is refused with this message. */
  readonly secondCookie?: RegExp;
  /** How a header that is not ASCII reaches the application; by default as its bytes. */
  readonly city?: "text" | "percent";
  /**
   * Questions that another library decides, beyond the adapter: bodies in chunks, responses of `fetch` without `dedupe`,
   * and headers of an answer that are not ASCII.
   */
  readonly leavesOut?: readonly ("chunked" | "passed" | "city of the answer")[];
}

/** The host and the protocol that the questions' proxy names. */
export const PROXY = { proto: "https", host: "public.example:8443" } as const;
