/** Waits for a promise that never rejects, for at most `ms` milliseconds; returns `undefined` after that. */
export async function within<T>(ms: number, event: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  const first = await Promise.race([event, over]);
  clearTimeout(timer);
  return first;
}
