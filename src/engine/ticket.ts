import type { Target } from "../redis/target.ts";
import { encodeText } from "../shared/crypto.ts";

export const TICKET_VERSION = 3;

/** The side of a read-write lock that a hold is of. */
export type Mode = "read" | "write";

interface Ticketed {
  readonly target: Target;
  readonly id: string;
  readonly token: number;
  readonly leaseMs: number;
  readonly mode?: Mode | undefined;
  /** Default: what the connection says now. */
  readonly trace?: unknown;
}

/**
 * Makes the ticket of a hold: version, kind, names, group, id, token, length of the lease, trace and mode, signed now
 * if there is a `ticketKey`. Without one the text is only made when it is asked for, as most never are.
 */
export function ticketOf({
  target,
  id,
  token,
  leaseMs,
  mode,
  trace = target.connection.trace?.(),
}: Ticketed): (() => string) | Promise<() => string> {
  const { kind, names, group = null, connection } = target;
  const body = () => encodeText(JSON.stringify([TICKET_VERSION, kind, names, group, id, token, leaseMs, trace, mode]));
  if (!connection.sign) return body;
  return connection.sign(body()).then((signature) => {
    const signed = `${body()}.${signature}`;
    return () => signed;
  });
}

/** How many permits the hold of this id takes; undefined for an id that no acquisition of permits has. */
export function permitsOf(id: string): number | undefined {
  const [, permits] = /^.{36}#([1-9]\d{0,2}|1000)(@|$)/.exec(id) ?? [];
  return permits === undefined ? undefined : Number(permits);
}

/** Says in words what a ticket with these fields stands for. The names are no secret; the id is. */
export function inWords(
  { kind, names, group }: Pick<Target, "kind" | "names" | "group">,
  id: string,
  mode: Mode | undefined,
): string {
  const listed = names.map((name) => `"${name}"`).join(", ");
  const of = group === undefined ? listed : `${listed} in the group "${group}"`;
  if (kind === "rw") return `the ${mode ?? "read or write"} side of the read-write lock ${of}`;
  if (kind === "semaphore") return `${permitsOf(id)} permits of the semaphore ${of}`;
  if (kind === "fair") return `a fair lock of ${of}`;
  if (kind === "quorum") return `a quorum lock of ${of}`;
  if (kind === "once") return `an attempt of ${of}`;
  return `a lock of ${of}`;
}
