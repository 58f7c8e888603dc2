/** The judge of `npm run failover`: what it counts, and what it does not. */
import { describe, expect, it } from "vitest";
import { type Facts, judge, type Tenure, type WorkRun } from "../../verification/failover/ledger.ts";

const CLEAN = { lostEarly: 0, twoHolders: 0, tokensFell: 0, onceAgain: 0, starved: 0 };
const LEASE = 6000;

/** A tenure that is granted at this time, begins 10 later and stops 100 after its grant. */
const tenure = (at: number, more: Partial<Tenure> = {}): Tenure => ({
  ...{ name: "a", token: at, at, until: at + LEASE, beganAt: at + 10, stoppedAt: at + 100 },
  ...more,
});
const run = (at: number, more: Partial<WorkRun> = {}): WorkRun => ({
  ...{ name: "k", token: at, at, until: at + LEASE, beganAt: at + 10 },
  ...more,
});
const of = (facts: Partial<Facts>) => judge({ tenures: [], runs: [], starved: 0, ...facts });

describe("the judge of failovers (55.1)", () => {
  it("finds nothing in tenures that follow each other, by release or by the end of the lease", () => {
    const frozen = tenure(1000);
    delete frozen.stoppedAt;
    const tenures = [tenure(0), tenure(100), frozen, tenure(1000 + LEASE), tenure(1000, { name: "b" })];
    expect(of({ tenures })).toEqual(CLEAN);
  });

  it("finds two holders, and the lease that was lost, if a second one is granted while the first works", () => {
    expect(of({ tenures: [tenure(0), tenure(50)] })).toEqual({ ...CLEAN, lostEarly: 1, twoHolders: 1 });
  });

  it("finds two holders whichever of them began first", () => {
    const late = tenure(0, { beganAt: 70 });
    expect(of({ tenures: [late, tenure(50)] })).toMatchObject({ twoHolders: 1 });
  });

  it("does not count a holder whose lease had ended as one of two, however long it worked", () => {
    const frozen = tenure(0, { stoppedAt: 3 * LEASE });
    expect(of({ tenures: [frozen, tenure(LEASE)] })).toEqual(CLEAN);
  });

  it("finds a lease that the server forgot, but none that had ended", () => {
    expect(of({ tenures: [tenure(0, { goneAt: 90 })] })).toEqual({ ...CLEAN, lostEarly: 1 });
    expect(of({ tenures: [tenure(0, { goneAt: LEASE })] })).toEqual(CLEAN);
  });

  it("finds a token that is not above those that were known when it was granted", () => {
    const tenures = [tenure(0, { token: 7 }), tenure(200, { token: 7 }), tenure(400, { token: 6 })];
    expect(of({ tenures })).toEqual({ ...CLEAN, tokensFell: 2 });
    expect(of({ tenures: [tenure(0, { token: 7 }), tenure(200, { token: 6, name: "b" })] })).toEqual(CLEAN);
  });

  it("finds work that ran again after its result was confirmed", () => {
    const runs = [run(0, { isStored: true }), run(2 * LEASE)];
    expect(of({ runs })).toEqual({ ...CLEAN, onceAgain: 1 });
  });

  it("finds work that ran again while its first attempt had a lease, and allows it after that", () => {
    expect(of({ runs: [run(0), run(LEASE - 1000)] })).toEqual({ ...CLEAN, onceAgain: 1 });
    expect(of({ runs: [run(0), run(LEASE)] })).toEqual(CLEAN);
    expect(of({ runs: [run(0), run(10, { name: "l" })] })).toEqual(CLEAN);
  });

  it("reports the waiters that starved", () => {
    expect(of({ starved: 2 })).toEqual({ ...CLEAN, starved: 2 });
  });
});
