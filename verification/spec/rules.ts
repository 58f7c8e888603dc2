/** Rules left out on purpose, each with the broken guarantee and a seed that shows it. */
import type { SimulationOptions } from "./quint.ts";

/** A module of the specification: its file, the invariants that a run checks, and the witnesses it must have seen. */
export interface Model {
  readonly name: string;
  readonly steps: number;
  /** The invariants by the sentences that they express, or by their own names. */
  readonly invariants: readonly string[];
  readonly witnesses: readonly string[];
  /** The seeds of runs that reach what few runs reach, which are compared with the real code besides random ones. */
  readonly rare?: readonly SimulationOptions["seed"][];
}

export interface Broken {
  readonly model: string;
  /** Fields of `Rules` in record.qnt, or of the model's own rules. */
  readonly rules: string;
  readonly invariant: string;
  /** The seed of the run that shows it. */
  readonly seed: SimulationOptions["seed"];
}

/** The sentences under "Guaranteed" in docs/guarantees.md, as the names of invariants. */
const GUARANTEES = [
  "oneHolderByTheServersClock",
  "tokensOnlyRise",
  "noResponseDoesNotMeanNo",
  "anOutageCostsBoundedTime",
  "lateDuplicatesDoNothing",
  "aRetriedReleaseIsHarmless",
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
  {
    name: "once",
    steps: 40,
    invariants: [
      ...GUARANTEES.filter((name) => name !== "anOutageCostsBoundedTime"),
      "whatIsDoneIsDone",
      "anOlderAttemptCompletesNothing",
    ],
    witnesses: [
      "aCopyCameLate",
      "aGrantWasAnsweredAgain",
      "aClosedIdCameBack",
      "anAttemptWasCompleted",
      "aDeliveryFoundTheResult",
      "anAttemptWasPassed",
    ],
  },
  {
    name: "fair",
    steps: 100,
    invariants: [
      ...GUARANTEES.filter((name) => name !== "anOutageCostsBoundedTime"),
      "aFairLockIsFair",
      "aLostWaiterBlocksNobody",
      "nobodyIsOverlooked",
    ],
    witnesses: [
      "aWaiterWasGranted",
      "aWaiterLostItsPlace",
      "twoWaited",
      "theAveragesMoved",
      "aSweepWasNotEnough",
      "aFirstRequestWasRetried",
      "aHoldWasEnteredAgain",
    ],
    // More waiters have expired than one call removes.
    rare: [24976n, 463115n],
  },
  {
    name: "quorum",
    steps: 50,
    invariants: ["oneHolderByTheServersClock", "tokensOnlyRise", "noRequestShortensALease"],
    witnesses: ["twoHeldAfterEachOther", "aServerWasBehind", "aRoundWasSplit", "aLeaseWasExtended", "aServerCameBack"],
  },
  {
    name: "fence",
    steps: 40,
    invariants: ["lateDuplicatesDoNothing", "aStaleTokenIsRefused", "aRefusalIsTrue"],
    witnesses: ["aStaleWriteCame", "aCopyCameInTime", "aWriteMayBeForgotten"],
  },
  {
    name: "storage",
    steps: 30,
    invariants: [
      "nothingIsHalfDone",
      "anAnswerIsStored",
      "anErrorChangesNothing",
      "aReplacedInstanceIsSilent",
      "noNumberIsGivenTwice",
    ],
    witnesses: ["aRowWasRefused", "aReplacedInstanceWasAsked", "aLookFollowedAWrite"],
  },
  {
    name: "holding",
    steps: 80,
    invariants: [
      "noWaiterIsForgotten",
      "aLeasesEndIsNoticed",
      "aReportIsHeeded",
      "theFirstIsTried",
      "nobodyIsHeldForTooLong",
      "theLineIsWhoIsHeld",
    ],
    witnesses: [
      "aWaiterWasGranted",
      "aLostReportCostNoGrant",
      "aWaiterLeftDuringItsTry",
      "aReportCameDuringATry",
      "aNewcomerWasGrantedDirectly",
      "twoWaited",
    ],
  },
];

/** The models that do not describe the scripts, which have their own rules. */
export const OWN_RULES: readonly string[] = ["storage", "holding"];

export const BROKEN: readonly Broken[] = [
  { model: "lock", rules: "serverClock: false", invariant: "oneHolderByTheServersClock", seed: 8998n },
  { model: "lock", rules: "aboveLast: false", invariant: "tokensOnlyRise", seed: 1090n },
  { model: "lock", rules: "aboveClock: false", invariant: "tokensOnlyRise", seed: 3069n },
  { model: "lock", rules: "answersAgain: false", invariant: "noResponseDoesNotMeanNo", seed: 600n },
  { model: "lock", rules: "closesIds: false", invariant: "lateDuplicatesDoNothing", seed: 4552n },
  { model: "lock", rules: "closesExpired: false", invariant: "lateDuplicatesDoNothing", seed: 40831n },
  { model: "lock", rules: "closesInDoubt: false, mostSure: 1", invariant: "lateDuplicatesDoNothing", seed: 6216n },
  { model: "lock", rules: "checksDeadlines: false", invariant: "lateDuplicatesDoNothing", seed: 1n },
  { model: "lock", rules: "namesId: false", invariant: "aRetriedReleaseIsHarmless", seed: 600n },
  { model: "lock", rules: "namesToken: false", invariant: "tokensOnlyRise", seed: 8063n },
  { model: "lock", rules: "neverShortens: false", invariant: "noRequestShortensALease", seed: 2591n },
  { model: "lock", rules: "cancels: false", invariant: "noResponseDoesNotMeanNo", seed: 1529n },
  { model: "lock", rules: "saysUnknown: false", invariant: "noResponseDoesNotMeanNo", seed: 1n },
  { model: "lock", rules: "lateLeavesDoubt: false", invariant: "noResponseDoesNotMeanNo", seed: 225938n },
  { model: "lock", rules: "fallsSilent: false", invariant: "noResponseDoesNotMeanNo", seed: 3134n },
  { model: "lock", rules: "countsFromSending: false", invariant: "noRequestShortensALease", seed: 3567n },
  { model: "lock", rules: "keysExpire: false", invariant: "nothingLeaks", seed: 1n },
  { model: "lock", rules: "forcesOnce: false", invariant: "aRetriedReleaseIsHarmless", seed: 2581n },
  { model: "lock", rules: "endsCalls: false", invariant: "anOutageCostsBoundedTime", seed: 600n },
  { model: "lock", rules: "limitsRequests: false", invariant: "anOutageCostsBoundedTime", seed: 30060n },
  { model: "once", rules: "aboveLast: false", invariant: "tokensOnlyRise", seed: 893n },
  { model: "once", rules: "aboveClock: false", invariant: "tokensOnlyRise", seed: 444n },
  { model: "once", rules: "answersAgain: false", invariant: "noResponseDoesNotMeanNo", seed: 444n },
  { model: "once", rules: "closesIds: false", invariant: "lateDuplicatesDoNothing", seed: 5810n },
  { model: "once", rules: "closesExpired: false", invariant: "lateDuplicatesDoNothing", seed: 32827n },
  { model: "once", rules: "checksDeadlines: false", invariant: "lateDuplicatesDoNothing", seed: 1n },
  { model: "once", rules: "namesToken: false", invariant: "anOlderAttemptCompletesNothing", seed: 16864n },
  { model: "once", rules: "keysExpire: false", invariant: "nothingLeaks", seed: 1n },
  { model: "once", rules: "forcesOnce: false", invariant: "aRetriedReleaseIsHarmless", seed: 9792n },
  { model: "fair", rules: "keepsPlaces: false", invariant: "aFairLockIsFair", seed: 8973n },
  { model: "fair", rules: "buriesWaiters: false", invariant: "aLostWaiterBlocksNobody", seed: 49924n },
  { model: "fair", rules: "closesIds: false", invariant: "lateDuplicatesDoNothing", seed: 2973n },
  { model: "fair", rules: "checksDeadlines: false", invariant: "lateDuplicatesDoNothing", seed: 1n },
  { model: "fair", rules: "aboveLast: false", invariant: "tokensOnlyRise", seed: 2899n },
  { model: "fair", rules: "answersAgain: false", invariant: "noResponseDoesNotMeanNo", seed: 1n },
  { model: "fair", rules: "namesId: false", invariant: "aRetriedReleaseIsHarmless", seed: 1n },
  { model: "quorum", rules: "aboveLast: false", invariant: "tokensOnlyRise", seed: 1n },
  { model: "quorum", rules: "aboveClock: false", invariant: "tokensOnlyRise", seed: 309192n },
  { model: "quorum", rules: "neverShortens: false", invariant: "noRequestShortensALease", seed: 1111n },
  {
    model: "quorum",
    rules: "asksMajority: false, commitsToMajority: false",
    invariant: "oneHolderByTheServersClock",
    seed: 2957n,
  },
  { model: "quorum", rules: "commitsToMajority: false", invariant: "tokensOnlyRise", seed: 5213n },
  { model: "quorum", rules: "commitsTokens: false", invariant: "tokensOnlyRise", seed: 6404n },
  { model: "quorum", rules: "namesLarger: false", invariant: "tokensOnlyRise", seed: 23871n },
  { model: "quorum", rules: "endsWithMajority: false", invariant: "noRequestShortensALease", seed: 17631n },
  { model: "quorum", rules: "extendsMajority: false", invariant: "noRequestShortensALease", seed: 109978n },
  { model: "quorum", rules: "staysOut: false", invariant: "oneHolderByTheServersClock", seed: 42886n },
  { model: "fence", rules: "seesTokens: false", invariant: "aStaleTokenIsRefused", seed: 1n },
  { model: "fence", rules: "remembersCalls: false", invariant: "lateDuplicatesDoNothing", seed: 193n },
  { model: "fence", rules: "refusesForgotten: false", invariant: "lateDuplicatesDoNothing", seed: 403n },
  { model: "fence", rules: "checksDeadlines: false", invariant: "lateDuplicatesDoNothing", seed: 193n },
  { model: "storage", rules: "storesTogether: false", invariant: "nothingIsHalfDone", seed: 1n },
  { model: "storage", rules: "storesTogether: false", invariant: "anErrorChangesNothing", seed: 1n },
  { model: "storage", rules: "storesFirst: false", invariant: "anAnswerIsStored", seed: 1n },
  { model: "storage", rules: "storesFirst: false", invariant: "noNumberIsGivenTwice", seed: 1n },
  { model: "storage", rules: "forgetsAfterFailure: false", invariant: "anAnswerIsStored", seed: 1n },
  { model: "storage", rules: "touchesStorage: false", invariant: "aReplacedInstanceIsSilent", seed: 3212n },
  { model: "holding", rules: "checksRegularly: false", invariant: "noWaiterIsForgotten", seed: 2901n },
  { model: "holding", rules: "wakesAtLeaseEnd: false", invariant: "aLeasesEndIsNoticed", seed: 1428n },
  { model: "holding", rules: "learnsFromGrants: false", invariant: "aLeasesEndIsNoticed", seed: 1428n },
  { model: "holding", rules: "triesWhenWoken: false", invariant: "aReportIsHeeded", seed: 1n },
  { model: "holding", rules: "triesAgainWhenWokenDuringATry: false", invariant: "aReportIsHeeded", seed: 1418n },
  { model: "holding", rules: "passesOnWhenTheFirstLeaves: false", invariant: "noWaiterIsForgotten", seed: 125815n },
  { model: "holding", rules: "keepsOrder: false", invariant: "theFirstIsTried", seed: 1n },
  { model: "holding", rules: "retriesAfterFailure: false", invariant: "noWaiterIsForgotten", seed: 130996n },
  { model: "holding", rules: "endsAtItsTime: false", invariant: "nobodyIsHeldForTooLong", seed: 1n },
];
