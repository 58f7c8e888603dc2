/**
 * What `leasehold-agents` and `leasehold-nest` use of this package besides its public entries. It is not part of the
 * interface: a minor release may change it, a patch may not, since the two accept every patch of their own minor release.
 *
 * @module leasehold/internal
 */

export { attempts, commitUnder } from "../kinds/attempts.ts";
export { FAIR_LOCK, lookAt } from "../kinds/fair-lock.ts";
export { LOCK } from "../kinds/lock.ts";
export { checkRun, type Ended, onceOf } from "../kinds/once.ts";
export { noResult } from "../kinds/single-flight.ts";
export { acquirable } from "../lease/acquire.ts";
export { type Contesting, contend, MIN_LONG_POLL_MS } from "../lease/contest.ts";
export { EarlierTenure } from "../lease/earlier-tenure.ts";
export { grantLease } from "../lease/grant-lease.ts";
export { HeldLease } from "../lease/held-lease.ts";
export { type Hold, holdCalls, type Verifying } from "../lease/hold.ts";
export { toLimits } from "../lease/keep-alive.ts";
export { startWait, timedOut } from "../lease/lock-timeout.ts";
export { type Former, inspectFormer } from "../lease/record.ts";
export { resumeAs } from "../lease/resume.ts";
export { sharedRoutes } from "../redis/batch.ts";
export { stopwatch } from "../redis/clock.ts";
export { connectionOf, withMembers } from "../redis/connect.ts";
export { viewOf } from "../redis/group.ts";
export { LongPoll } from "../redis/long-poll.ts";
export { readCommand } from "../redis/read.ts";
export { ATTEMPT_SHARE } from "../redis/retry-policy.ts";
export { runScript } from "../redis/run.ts";
export { type FairCollectReply, fairCollect, fairSupersede, heldBegin, stateChange } from "../redis/scripts.gen.ts";
export { dueOf, type Target, targetOf, withCrowd } from "../redis/target.ts";
export { onAbort } from "../shared/abort.ts";
export { createAsyncContext } from "../shared/async-context.ts";
export { bytesOf } from "../shared/bytes.ts";
export {
  checkOptions,
  isWellFormed,
  MAX_NAME_BYTES,
  toChoice,
  toFunction,
  toLease,
  toMs,
  toSignal,
  toText,
  toTtl,
  toWork,
} from "../shared/checks.ts";
export { digest, hash, ID_LENGTH, randomId } from "../shared/crypto.ts";
export { isNoAnswer } from "../shared/errors.ts";
export { joinParts, refuseMissing, type Scope, toIdentity, toScope } from "../shared/identity.ts";
export { type OnlyJson, type StoredResult, toFingerprint, writeJson } from "../shared/json.ts";
export { inCall, kindOf, misuse, shown } from "../shared/misuse.ts";
export { suffixOf, toNote } from "../shared/note.ts";
export { sleep, until } from "../shared/timers.ts";
export { refuseUnstarted } from "../shared/unstarted.ts";
export { type Background, boundWaitUntil, noop } from "../shared/wait-until.ts";
