/** Checks of the server's INFO. A server may omit any field. */
import { attempt } from "../../../../src/redis/port.ts";
import { ask } from "../ask.ts";
import { type Check, fail, isObjects, ok, type Patient, skip, warn } from "./finding.ts";

const WAIT_MS = 1000;
const NOT_TOLD = "the server does not report";

/** Reads INFO, which a server may refuse. */
export async function readFacts({ connection, signal }: Patient): Promise<ReadonlyMap<string, string>> {
  try {
    const text = String(await ask(connection, ["INFO"], signal));
    return new Map([...text.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, field, value]) => [field ?? "", value ?? ""]));
  } catch {
    signal?.throwIfAborted();
    return new Map();
  }
}

/** A setting of the server, if reading it is allowed. */
export async function settingOf({ connection, signal }: Patient, name: string): Promise<string | undefined> {
  try {
    const answer = await ask(connection, ["CONFIG", "GET", name], signal);
    return Array.isArray(answer) && typeof answer[1] === "string" ? answer[1] : undefined;
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

const MIB = 2 ** 20;

export const memory: Check = {
  name: "memory",
  async run(patient) {
    if (isObjects(patient.facts)) return ok("objects evict nothing");
    const policy = patient.facts.get("maxmemory_policy") ?? (await settingOf(patient, "maxmemory-policy"));
    if (policy === undefined) return skip(`${NOT_TOLD} its eviction policy; it must be noeviction`);
    const [used, max] = ["used_memory", "maxmemory"].map((field) => Number(patient.facts.get(field) ?? 0));
    const share = used && max ? used / max : 0;
    const of = max ? `, ${Math.round(share * 100)} % of ${Math.round(max / MIB)} MiB used` : ", no limit";
    const says = `${policy}${of}`;
    if (policy !== "noeviction") {
      const advice = "a full server evicts keys, held locks among them: set maxmemory-policy noeviction";
      return max ? fail(says, advice) : warn(says, advice);
    }
    if (share > 0.9) return warn(says, "when it is full, nothing can be acquired, but releases still work: make room");
    return ok(says);
  },
};

/** Where the objects of the ready Worker are. Clients of another jurisdiction have other objects. */
function placeOf(facts: Patient["facts"]): string {
  const [jurisdiction = "none", hint = "none"] = ["jurisdiction", "location_hint"].map((field) =>
    facts.get(`leasehold_${field}`),
  );
  const where = jurisdiction === "none" ? "no jurisdiction" : `the jurisdiction ${jurisdiction}`;
  return `Durable Objects in ${where}, created ${hint === "none" ? "near their first caller" : `in ${hint}`}`;
}

export const version: Check = {
  name: "server",
  async run({ facts }) {
    if (isObjects(facts)) return ok(placeOf(facts));
    const version = facts.get("redis_version");
    if (version === undefined) return skip(`${NOT_TOLD} its version`);
    const [major = 0, minor = 0] = version.split(".").map(Number);
    const server = facts.get("valkey_version") ? `Valkey ${facts.get("valkey_version")}` : `Redis ${version}`;
    if (major > 6 || (major === 6 && minor >= 2)) return ok(server);
    return fail(server, "the scripts need Redis 6.2 or later");
  },
};

export const replication: Check = {
  name: "replicas",
  async run({ connection, facts, signal }) {
    if (isObjects(facts)) return ok("objects have none: the option `replicas` cannot be used");
    const role = facts.get("role");
    if (role === undefined) return skip(`${NOT_TOLD} its replicas`);
    if (role !== "master") return fail(`this server is a ${role}`, "locks belong on the primary: use its address");
    const count = Number(facts.get("connected_slaves") ?? 0);
    if (count === 0)
      return ok("none: there is no failover that could lose locks, and nothing for the option `replicas` to wait for");
    // WAIT counts for the connection that wrote, so both are sent in one request.
    const key = `${connection.prefix}doctor`;
    const commands = [
      ["WAIT", count, WAIT_MS],
      ["DEL", key],
    ] as const;
    const { clock, port } = connection;
    const outcome = await attempt(port, ["SET", key, "1", "PX", 1000], 2 * WAIT_MS, signal, clock, commands);
    const answers = outcome.type === "answered" ? outcome.answers : [];
    const acknowledged = Number(answers[1]?.result ?? Number.NaN);
    if (Number.isNaN(acknowledged))
      return warn(`${count}, and WAIT is refused`, "the option `replicas` cannot be used here");
    const says = `${acknowledged} of ${count} had a write within ${WAIT_MS} ms`;
    if (acknowledged < count)
      return warn(says, "a failover may lose locks; the option `replicas` waits until they have the grant");
    return ok(`${says}; the option \`replicas\` can be used`);
  },
};

export const persistence: Check = {
  name: "persistence",
  async run({ facts }) {
    if (isObjects(facts)) return ok("an object stores each change before it answers");
    const log = facts.get("aof_enabled");
    if (log === undefined) return skip(`${NOT_TOLD} its persistence`);
    if (log === "1") {
      if (facts.get("aof_last_write_status") === "ok") return ok("append-only file");
      return warn("append-only file, and its last write failed", "check the server's disk");
    }
    return warn(
      "no append-only file",
      "a restart frees every lock; tokens still rise. Set appendonly yes, or wait for the longest lease to expire before you restart",
    );
  },
};
