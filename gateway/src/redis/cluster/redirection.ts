import type { Reply } from "../backend.ts";

/** A node's word that another one has the key. The command that it answers with this did not run. */
export interface Redirection {
  /** `host:port`; the host may be empty, which means the node's own. */
  readonly address: string;
  /** With ASK the slot is on its way: the other node takes the command only after ASKING. */
  readonly asking: boolean;
}

const SHAPE = /^(MOVED|ASK) \d+ (\S*:\d+)$/;

/** The redirection that a reply is; `undefined` for any other reply. */
export function redirectionOf(reply: Reply): Redirection | undefined {
  const match = reply instanceof Error ? SHAPE.exec(reply.message) : null;
  return match === null ? undefined : { address: match[2] ?? "", asking: match[1] === "ASK" };
}
