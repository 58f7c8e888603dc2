/** Rules left out on purpose, each with the guarantee that falls and a seed that shows it. */
import type { SimulationOptions } from "./quint.ts";

/** A module of the specification: its file, and what a run of it checks and must have seen. */
export interface Model {
  readonly name: string;
  readonly steps: number;
  /** The invariants by the sentences that they stand for, or by a name of their own. */
  readonly invariants: readonly string[];
  readonly witnesses: readonly string[];
}

export interface Broken {
  readonly model: string;
  /** Fields of `Rules` in record.qnt. */
  readonly rules: string;
  readonly invariant: string;
  /** The seed of the run that shows it. */
  readonly seed: SimulationOptions["seed"];
}

/** The sentences under "Guaranteed" in docs/guarantees.md, as the names of invariants. */
const GUARANTEES = [
  "oneHolderByTheServersClock",
  "tokensOnlyRise",
  "noAnswerIsNotNo",
  "anOutageCostsBoundedTime",
  "lateCopiesDoNothing",
  "aRepeatedReleaseTakesNothingFromAnybody",
  "noRequestShortensALease",
  "nothingLeaks",
] as const;

export const MODELS: readonly Model[] = [
  {
    name: "lock",
    steps: 40,
    invariants: GUARANTEES,
    witnesses: [
      "aCopyCameLate",
      "aGrantWasAnsweredAgain",
      "aHoldWasEnteredAgain",
      "aClosedIdCameBack",
      "aLeaseWasExtended",
      "aReleaseWasRepeated",
    ],
  },
];

export const BROKEN: readonly Broken[] = [
  { model: "lock", rules: "serverClock: false", invariant: "oneHolderByTheServersClock", seed: 1n },
  { model: "lock", rules: "aboveLast: false", invariant: "tokensOnlyRise", seed: 1n },
  { model: "lock", rules: "aboveClock: false", invariant: "tokensOnlyRise", seed: 1n },
  { model: "lock", rules: "answersAgain: false", invariant: "noAnswerIsNotNo", seed: 1n },
  { model: "lock", rules: "closesIds: false", invariant: "lateCopiesDoNothing", seed: 1n },
  { model: "lock", rules: "closesExpired: false", invariant: "lateCopiesDoNothing", seed: 1n },
  { model: "lock", rules: "closesInDoubt: false, mostSure: 1", invariant: "lateCopiesDoNothing", seed: 1n },
  { model: "lock", rules: "checksDeadlines: false", invariant: "lateCopiesDoNothing", seed: 1n },
  { model: "lock", rules: "namesId: false", invariant: "aRepeatedReleaseTakesNothingFromAnybody", seed: 1n },
  { model: "lock", rules: "namesToken: false", invariant: "tokensOnlyRise", seed: 1n },
  { model: "lock", rules: "neverShortens: false", invariant: "noRequestShortensALease", seed: 1n },
  { model: "lock", rules: "cancels: false", invariant: "noAnswerIsNotNo", seed: 1n },
  { model: "lock", rules: "saysUnknown: false", invariant: "noAnswerIsNotNo", seed: 1n },
  { model: "lock", rules: "lateLeavesDoubt: false", invariant: "noAnswerIsNotNo", seed: 1n },
  { model: "lock", rules: "fallsSilent: false", invariant: "noAnswerIsNotNo", seed: 1n },
  { model: "lock", rules: "countsFromSending: false", invariant: "noRequestShortensALease", seed: 1n },
  { model: "lock", rules: "keysExpire: false", invariant: "nothingLeaks", seed: 1n },
  { model: "lock", rules: "forcesOnce: false", invariant: "aRepeatedReleaseTakesNothingFromAnybody", seed: 1n },
  { model: "lock", rules: "endsCalls: false", invariant: "anOutageCostsBoundedTime", seed: 1n },
  { model: "lock", rules: "limitsRequests: false", invariant: "anOutageCostsBoundedTime", seed: 1n },
];
