/** The promises that were handed to `after`, in place of Next.js, which would await them behind the response. */
export const afterwards: Promise<unknown>[] = [];

/** @public An example imports it. */
export function after(task: Promise<unknown>): void {
  afterwards.push(task);
}
