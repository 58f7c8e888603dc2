/** Another name for every use, so that tests share a server without meeting. */
export const freshName = (what = "name"): string => `${what}-${crypto.randomUUID()}`;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
