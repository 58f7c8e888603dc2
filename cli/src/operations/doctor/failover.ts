/** The set-up of the server, a row in the table of docs/guarantees.md, and what a restart or a failover costs in it. */
import { isIP } from "node:net";
import { type Check, type Finding, isObjects, ok, type Patient, skip, warn } from "./finding.ts";
import { settingOf } from "./settings.ts";
import { endpointOf } from "./way.ts";

type Outcome = Omit<Finding, "check">;

const LOSES = "a failover can lose the last grants, and two callers then hold one lock";
const FENCE = "put a fence where two holders could write to the same place";
const ADVICE = `${FENCE}; the option \`replicas\` makes a loss unlikely, a quorum lock prevents it`;

/** Whether a failover moves a name to another server, as in managed services: neither Sentinel nor a cluster names it. */
function nameOfPrimary({ address, rest }: Patient): string | undefined {
  if (rest || /^redis\+/.test(address)) return undefined;
  const { host } = endpointOf(address) ?? {};
  return host !== undefined && !isIP(host) ? host : undefined;
}

/** A server whose replicas take its place. */
function withReplicas(patient: Patient): Outcome {
  if (patient.facts.get("cluster_enabled") === "1") return warn(`a cluster with replicas: ${LOSES}`, ADVICE);
  if (/^redis\+sentinel:/.test(patient.address)) return warn(`Sentinel: ${LOSES}`, ADVICE);
  const host = nameOfPrimary(patient);
  const moves = `a failover moves ${host}: a client finds the new primary when it connects again and the name leads there`;
  return warn(`a primary with replicas: ${LOSES}${host === undefined ? "" : `; ${moves}`}`, ADVICE);
}

/** A server without replicas, which comes back with what is on its disk. */
async function alone(patient: Patient): Promise<Outcome> {
  const { facts } = patient;
  const one = facts.get("cluster_enabled") === "1" ? "a cluster without replicas" : "one server";
  const log = facts.get("aof_enabled");
  if (log === undefined) return skip(`${one}, which does not report its persistence`);
  if (log === "0")
    return warn(
      `${one}, no append-only file: a restart frees every lock`,
      `set appendonly yes and appendfsync always, or ${FENCE}`,
    );
  const sync = await settingOf(patient, "appendfsync");
  if (sync === undefined)
    return skip(`${one} with an append-only file, which does not report appendfsync: only always loses nothing`);
  if (sync === "always" && (await settingOf(patient, "no-appendfsync-on-rewrite")) === "yes")
    return warn(
      `${one}, AOF always, but not during a rewrite: a crash can then free the locks of the last half a minute`,
      `set no-appendfsync-on-rewrite no, or ${FENCE}`,
    );
  if (sync === "always") return ok(`${one}, AOF always: a restart loses nothing`);
  const lost = sync === "everysec" ? "second or two" : "half a minute";
  return warn(
    `${one}, AOF ${sync}: a crash can free the locks of the last ${lost}`,
    `set appendfsync always, or ${FENCE}`,
  );
}

export const failover: Check = {
  name: "failover",
  async run(patient) {
    const { facts } = patient;
    if (isObjects(facts)) return ok("Durable Objects: a restart loses nothing");
    if (facts.has("upstash_version")) return warn(`Upstash replicates asynchronously: ${LOSES}`, ADVICE);
    const role = facts.get("role");
    if (role === undefined) return skip("the server does not report whether it has replicas");
    if (role !== "master") return skip(`this server is a ${role}`);
    return Number(facts.get("connected_slaves") ?? 0) > 0 ? withReplicas(patient) : alone(patient);
  },
};
