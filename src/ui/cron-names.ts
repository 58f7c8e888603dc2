/** A cron job's records as they stand in a list of names. */
const LAST = "cron-last:";
const SLOT = /^cron-slot:(\d+):/;

/** Finds the job whose last run a name is the record of. */
export const jobOfRecord = (name: string): string | undefined =>
  name.startsWith(LAST) ? name.slice(LAST.length) : undefined;

/** Takes the name of a slot's `once` apart. */
export function slotOf(name: string): { readonly job: string; readonly slot: string } | undefined {
  const [begin = "", digits] = SLOT.exec(name) ?? [];
  if (digits === undefined) return undefined;
  const end = begin.length + Number(digits);
  return name[end] === ":" ? { job: name.slice(begin.length, end), slot: name.slice(end + 1) } : undefined;
}
