import { expect } from "vitest";
import { type Lease, type LeaseholdEvent, lock, type QuorumLock, quorumLock } from "../../../src/index.ts";
import { LEASE_MS, TIMEOUT_MS } from "../../faults/stage.ts";
import { freshName } from "../../support/names.ts";
import type { Fault } from "../../support/proxy.ts";
import type { ProxiedQuorum, Quorum } from "./quorum.ts";

/** One name, a client whose requests pass the proxies, and one that goes straight to the gateways. */
export interface QuorumWorld {
  readonly quorum: Quorum;
  readonly proxied: ProxiedQuorum;
  readonly name: string;
  readonly ours: QuorumLock;
  readonly theirs: QuorumLock;
  readonly events: LeaseholdEvent[];
  readonly tokens: number[];
}

export function quorumWorld(quorum: Quorum, proxied: ProxiedQuorum): QuorumWorld {
  const name = freshName("quorum");
  const events: LeaseholdEvent[] = [];
  const onEvent = (event: LeaseholdEvent): number => events.push(event);
  return {
    quorum,
    proxied,
    name,
    events,
    tokens: [],
    ours: quorumLock(proxied.connections({ requestTimeout: TIMEOUT_MS, lease: LEASE_MS, onEvent }), name, {
      // Time for a second attempt.
      serverTimeout: 6 * TIMEOUT_MS,
    }),
    theirs: quorumLock(quorum.connections({ lease: LEASE_MS }), name),
  };
}

/** A step of the protocol, and the call that makes it. */
export interface QuorumSite {
  readonly name: string;
  readonly script: string;
  /** Calls `arm` when the faults are to begin; gives the lease that stands afterwards, if one does. */
  act(world: QuorumWorld, arm: () => void): Promise<Lease | undefined>;
}

async function acquired({ ours }: QuorumWorld, arm: () => void): Promise<Lease> {
  arm();
  const lease = await ours.tryAcquire();
  if (!lease) throw new Error("nobody is in the way");
  return lease;
}

export const quorumSites: readonly QuorumSite[] = [
  { name: "acquire", script: "lock-acquire", act: acquired },
  { name: "commit", script: "lock-commit", act: acquired },
  {
    name: "extend",
    script: "hold-extend",
    async act({ ours }, arm) {
      const lease = await ours.acquire();
      arm();
      await lease.extend(2 * LEASE_MS);
      expect(lease.remaining).toBeGreaterThan(1.5 * LEASE_MS);
      return lease;
    },
  },
  {
    name: "release",
    script: "lock-close",
    async act({ ours, tokens }, arm) {
      const lease = await ours.acquire();
      tokens.push(lease.token);
      arm();
      expect(await lease.release()).toBe(true);
      return undefined;
    },
  },
];

export const armed = ({ proxied }: QuorumWorld, script: string, servers: number, faults: readonly Fault[]): void => {
  for (const proxy of proxied.proxies.slice(0, servers)) proxy.next(script, ...faults);
};

/** It is ours for whoever asks, under one token, and the lease says no more than a majority does. */
export async function isOurs({ theirs, tokens }: QuorumWorld, lease: Lease): Promise<void> {
  const local = lease.remaining;
  const state = await theirs.inspect();
  expect(state).toMatchObject({ state: "held", token: lease.token });
  expect(local).toBeGreaterThan(0);
  if (state.state === "held") expect(local).toBeLessThanOrEqual(state.remaining + 50);
  expect(await theirs.tryAcquire()).toBeNull();
  expect(await lease.verify()).toBe(true);
  if (tokens.at(-1) !== lease.token) tokens.push(lease.token);
}

/** Nothing stands on any server, and the next token is larger than all before. */
export async function isFree({ quorum, theirs, name, tokens }: QuorumWorld): Promise<void> {
  for (const one of quorum.connections()) expect(await lock(one, name).inspect()).toMatchObject({ state: "free" });
  const next = await theirs.acquire();
  expect(next.token).toBeGreaterThan(Math.max(0, ...tokens));
  tokens.push(next.token);
  expect(await next.release()).toBe(true);
}

/** The requests that are still on their way arrive, then everything once more, in order or the last one first. */
export async function deliver({ proxied }: QuorumWorld): Promise<void> {
  await Promise.all(proxied.proxies.map((proxy) => proxy.deliver()));
}
export async function replay({ proxied, name }: QuorumWorld, order: "forward" | "backward"): Promise<void> {
  const own = `{${name}}`;
  await Promise.all(proxied.proxies.map((proxy) => proxy.replay(({ body }) => body.includes(own), order)));
}
