/** Arguments of scripts by the names in their headers. */
export type Args = Readonly<Record<string, string | number>>;

/** What scripts are called with where a test does not say otherwise. No `id` and no `notAfter` is usual. */
export const USUAL_ARGS: Args = {
  lease: 10_000,
  retention: 60_000,
  reentryKey: "",
  note: "",
  reentrant: 1,
  waited: 0,
  asked: "",
  before: 9e15,
  token: 0,
  duration: 0,
  due: 0,
  kind: "lock",
  ticket: 0,
  grace: 1000,
  ttl: 600_000,
  maxAttempts: 1e15,
  fingerprint: "",
  mode: "write",
  back: 0,
  permits: "",
  count: 1,
  change: "set",
  generation: 0,
  began: 0,
  value: "",
  most: 10,
  scope: "all",
  result: "1",
};
