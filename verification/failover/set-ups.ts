/** The set-ups of servers, each a row of the table. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { startByHand, startSharded, startWatched } from "./replicated.ts";
import { startObjectStage, startPowerCuts, startQuorum, startSingle } from "./single.ts";
import type { Stage } from "./stage.ts";

export interface SetUp {
  /** As the table names it. */
  readonly title: string;
  /** Whether the server keeps every write that it has answered, so that every count must be 0. */
  readonly isDurable: boolean;
  readonly leaseMs: number;
  /** The replicas that must have a grant before it counts. */
  readonly replicas: number;
  /** Whether it has `once`. */
  readonly hasOnce: boolean;
  /** The server, if it is not the one on the PATH. */
  readonly program?: Program;
  start(): Promise<Stage>;
}

const ROOT = join(import.meta.dirname, "../..");
/** Longer than an outage, so that most leases outlast it. */
const LEASE_MS = 5000;
/** A server of a quorum that lost its data stays out for as long. */
const QUORUM_LEASE_MS = 2000;
const ALWAYS = ["--appendonly", "yes", "--appendfsync", "always"];

type Program = "redis-server" | "valkey-server";

const folders = new Map<Program, string>();

/** The folder of another server, from Debian's newest suite. The first call may take a minute, and blocks this process. */
export function fetchServer(program: Program): string {
  const folder =
    folders.get(program) ??
    execFileSync(process.execPath, [join(ROOT, "tools/debian-servers.ts"), program, "sid"], {
      encoding: "utf8",
    }).trim();
  folders.set(program, folder);
  return folder;
}

const pathTo = (program: Program): string => `${fetchServer(program)}:${process.env["PATH"]}`;

const setUp = (title: string, start: () => Promise<Stage>, more: Partial<SetUp> = {}): SetUp => ({
  ...{ title, start, isDurable: false, leaseMs: LEASE_MS, replicas: 0, hasOnce: true },
  ...more,
});
const durable: Partial<SetUp> = { isDurable: true };
const waiting: Partial<SetUp> = { replicas: 1 };

export const SET_UPS: Readonly<Record<string, SetUp>> = {
  none: setUp("One Redis, no persistence", () => startSingle([])),
  power: setUp("AOF `everysec`, power cuts", startPowerCuts),
  everysec: setUp("AOF `everysec`", () => startSingle(["--appendonly", "yes", "--appendfsync", "everysec"])),
  always: setUp("AOF `always`", () => startSingle(ALWAYS), durable),
  redis8: setUp("Redis 8, AOF `always`", () => startSingle(ALWAYS, pathTo("redis-server")), {
    ...durable,
    program: "redis-server",
  }),
  valkey: setUp("Valkey, AOF `always`", () => startSingle(ALWAYS, pathTo("valkey-server")), {
    ...durable,
    program: "valkey-server",
  }),
  hand: setUp("Primary and replica, promoted by hand", () => startByHand()),
  "hand-wait": setUp("… with `replicas`", () => startByHand(), waiting),
  sentinel: setUp("Sentinel", startWatched),
  "sentinel-wait": setUp("… with `replicas`", startWatched, waiting),
  cluster: setUp("Cluster", startSharded),
  "cluster-wait": setUp("… with `replicas`", startSharded, waiting),
  quorum: setUp("Quorum of three", () => startQuorum(QUORUM_LEASE_MS), {
    ...durable,
    leaseMs: QUORUM_LEASE_MS,
    hasOnce: false,
  }),
  objects: setUp("Durable Objects", startObjectStage, durable),
};

/** Set-ups for the tests of this program: it must find their faults. */
export const PLANTED: Readonly<Record<string, SetUp>> = {
  planted: setUp("Said to be durable, and is not", () => startSingle([]), durable),
  lagging: setUp("A replica far behind", () => startByHand(1000)),
};
