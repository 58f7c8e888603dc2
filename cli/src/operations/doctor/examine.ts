import { LeaseholdError } from "../../../../src/shared/errors.ts";
import type { Target } from "../target.ts";
import { failover } from "./failover.ts";
import type { Check, Finding, Patient } from "./finding.ts";
import { protocolChecks } from "./guarantees.ts";
import { clock, roundTrip, steadyClock } from "./pace.ts";
import { heldRequests, repeats } from "./proxy.ts";
import { adviceOn, DOCTOR_PREFIX } from "./refusals.ts";
import { dialect, scriptCache } from "./scripting.ts";
import { memory, persistence, readFacts, replication, version } from "./settings.ts";
import { vulnerabilities } from "./vulnerabilities.ts";
import { connection, login, name } from "./way.ts";

export interface ExamineOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with each finding as soon as it is known. */
  readonly onFinding?: ((finding: Finding) => void) | undefined;
  /** Removes secrets from a text. */
  readonly scrub?: ((text: string) => string) | undefined;
  /** Whether to empty the server's script cache, which other programs may share. Default false. */
  readonly flush?: boolean | undefined;
}

/** The findings, and whether the server was reached. */
export interface Examination {
  readonly findings: readonly Finding[];
  readonly isReached: boolean;
}

/** The prefix of one examination, whose random part would mislead in an ACL. */
const OWN_PREFIX = new RegExp(`${DOCTOR_PREFIX}\\w+:`, "g");

async function runCheck(check: Check, patient: Patient): Promise<Finding> {
  try {
    return { check: check.name, ...(await check.run(patient)) };
  } catch (error) {
    patient.signal?.throwIfAborted();
    if (!(error instanceof LeaseholdError)) throw error;
    return {
      check: check.name,
      verdict: "fail",
      says: patient.scrub(error.message),
      advice: adviceOn(error),
    };
  }
}

/**
 * Examines a server: the connection, its speed, its settings, and whether the protocol works on it. It sends about 130
 * requests, in about ten seconds on a nearby server. Its keys have their own prefix, and are removed at the end.
 *
 * @throws the signal's reason
 */
export async function examine(target: Target, options: ExamineOptions = {}): Promise<Examination> {
  const { signal, onFinding, flush = false, scrub = (text) => text } = options;
  const plainly = (text: string): string => scrub(text.replace(OWN_PREFIX, DOCTOR_PREFIX));
  const patient: Patient = { ...target, signal, scrub: plainly, mayFlush: flush, facts: new Map() };
  const findings: Finding[] = [];
  async function all(checks: readonly Check[]): Promise<boolean> {
    for (const check of checks) {
      signal?.throwIfAborted();
      const finding = await runCheck(check, patient);
      findings.push(finding);
      onFinding?.(finding);
      if (check.isGate && finding.verdict === "fail") return false;
    }
    return true;
  }
  const isReached = await all([name, connection, login]);
  if (isReached) {
    await all([roundTrip, clock]);
    patient.facts = await readFacts(patient);
    await all([version, vulnerabilities, memory, persistence, replication, failover, dialect, scriptCache, repeats]);
    await all([heldRequests, ...protocolChecks(), steadyClock]);
  }
  return { findings, isReached };
}
