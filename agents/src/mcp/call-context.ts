import { kindOf, misuse, shown } from "leasehold/internal";

/** The used part of a validated access token, in both SDKs. */
export interface ToolAuth {
  readonly clientId: string;
}

/** The `_meta` of a call. */
export interface ToolMeta {
  readonly [name: string]: unknown;
}

/** The used part of the `extra` that `@modelcontextprotocol/sdk` (version 1) passes; the handler gets all of it. */
export interface ToolExtra {
  readonly requestId: string | number;
  readonly signal: AbortSignal;
  readonly _meta?: ToolMeta | undefined;
  readonly authInfo?: ToolAuth | undefined;
}

/**
 * The used part of the context that `@modelcontextprotocol/server` (version 2) passes, its `ServerContext`; the handler
 * gets all of it.
 */
export interface ToolContext {
  readonly mcpReq: {
    readonly id: string | number;
    readonly signal: AbortSignal;
    readonly _meta?: ToolMeta | undefined;
  };
  readonly http?: { readonly authInfo?: ToolAuth | undefined } | undefined;
}

/** What a tool's handler receives about its call, from either SDK. */
export type AnyContext = ToolExtra | ToolContext;

/** What both SDKs report about a call. */
export interface CallContext {
  readonly meta: ToolMeta | undefined;
  readonly authInfo: { readonly clientId?: unknown } | undefined;
  /** Aborts if the client cancels the call. */
  readonly signal: AbortSignal;
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null;
const isSignal = (value: unknown): value is AbortSignal => isObject(value) && "aborted" in value;

/** What a request and its transport report; undefined if they lack what both SDKs pass. */
function seen({ signal, _meta: meta }: Members, transport: unknown): CallContext | undefined {
  if (!isSignal(signal)) return undefined;
  const authInfo = isObject(transport) ? transport["authInfo"] : undefined;
  return { meta: isObject(meta) ? meta : undefined, authInfo: isObject(authInfo) ? authInfo : undefined, signal };
}

/** Reads the context of a call by the shapes of the two SDKs; undefined for any other value. */
export function readContext(value: unknown): CallContext | undefined {
  if (!isObject(value)) return undefined;
  if (isObject(value["mcpReq"])) return seen(value["mcpReq"], value["http"]);
  return "requestId" in value ? seen(value, value) : undefined;
}

/** Makes the error for a context that neither SDK passes. `lacks` is what should be read from it. */
export function unknownContext(value: unknown, lacks: string): Error {
  const members = isObject(value) ? Object.keys(value).slice(0, 8).join(", ") : "";
  const found = `${isObject(value) ? kindOf(value) : shown(value)}${members && ` with ${members}`}`;
  return misuse(
    TypeError,
    `this context of a call is unknown: ${found}. @modelcontextprotocol/server 2 passes one with mcpReq, @modelcontextprotocol/sdk 1 one with requestId and signal. For another host, pass ${lacks}`,
  );
}

/** A client ID that is the URL of a metadata document, which all users of the client share. */
const DOCUMENT = /^https?:/i;

/** Reads the ID of the client. @throws TypeError if the client is unknown, or is an application that many users share. */
export function clientOf(context: CallContext | undefined, value: unknown): string {
  if (context === undefined) throw unknownContext(value, "the option scope");
  const clientId = context.authInfo?.clientId;
  const advice = 'pass the option scope, such as the ID of the user, or a text such as scope: "shared" for one owner';
  if (typeof clientId !== "string" || clientId === "")
    throw misuse(TypeError, `the caller is unknown, since the call has no authInfo with a clientId: ${advice}`);
  if (DOCUMENT.test(clientId))
    throw misuse(TypeError, `the client ID ${shown(clientId)} is the same for all users of this client: ${advice}`);
  return clientId;
}
