/** Claims that must hold whatever the timings. A failure is reported immediately and makes the run end with 1. */
export interface Checks {
  readonly failures: readonly string[];
  expect(ok: boolean, what: string): void;
}

export function createChecks(): Checks {
  const failures: string[] = [];
  return {
    failures,
    expect(ok, what) {
      if (ok) return;
      failures.push(what);
      console.error(`WRONG: ${what}`);
    },
  };
}
