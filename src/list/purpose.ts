/** The feature of leasehold that a name belongs to, by the form of the name. */
export interface Purpose {
  /** The cron job whose lock, slot (a `once`) or last run (a fence) this is. */
  readonly job?: string;
  /** The slot of the job, of its `once`. */
  readonly slot?: string;
  /** The sender of the delivery that a `once` of `dedupe` remembers. */
  readonly sender?: string;
}

/**
 * Returns the cron job, or the sender of deliveries, that a name belongs to. It decides by the form of the name, so one
 * of your own names in such a form gets the same purpose.
 */
export function purposeOf(name: string, kind: string): Purpose {
  const [, type, job = ""] = /^cron(|-slot|-last):(.+)$/s.exec(name) ?? [];
  if (type === "" && kind === "lock") return { job };
  if (type === "-last" && kind === "fence") return { job };
  if (kind !== "once") return {};
  const [, length = "", parts = ""] = type === "-slot" ? (/^(\d+):(.+)$/s.exec(job) ?? []) : [];
  const jobLength = Number(length);
  if (parts[jobLength] === ":") return { job: parts.slice(0, jobLength), slot: parts.slice(jobLength + 1) };
  // The hash of scope and id.
  const [, sender] = /^(.+):[\w-]{43}$/s.exec(name) ?? [];
  return sender === undefined ? {} : { sender };
}
