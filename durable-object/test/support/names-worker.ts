/** A Worker that does something with many names, each in an object of its own. */
import { createLocks, type Locks } from "../../../src/index.ts";
import { durableObject, type LeaseholdNamespace } from "../../src/index.ts";

export { LeaseholdObject } from "../../src/index.ts";

const nameOf = (n: number): string => `name-${n}`;

/** What is done with the n-th name, and with what the caller gave for it. */
const WORK: Readonly<Record<string, (locks: Locks, n: number, given: string) => Promise<unknown>>> = {
  async "/hold"(locks, n) {
    const lease = await locks.lock(nameOf(n)).acquire({ lease: "6h" });
    return { ticket: lease.ticket(), token: lease.token };
  },
  "/try": async (locks, n) => (await locks.lock(nameOf(n)).tryAcquire()) === null,
  "/release": async (locks, _n, ticket) => (await locks.resume(ticket)).release(),
};

export default {
  async fetch(request: Request, env: { readonly LEASEHOLD: LeaseholdNamespace }): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const [from = 0, count = 0, parallel = 1] = ["from", "count", "parallel"].map((key) =>
      Number(searchParams.get(key)),
    );
    const given = ((await request.json()) ?? []) as string[];
    const work = WORK[pathname];
    if (!work) return new Response("not found", { status: 404 });
    // On a busy machine it takes seconds until this many objects are awake.
    const locks = createLocks({ redis: durableObject(env.LEASEHOLD), requestTimeout: "30s" });
    const results: unknown[] = [];
    for (let at = 0; at < count; at += parallel) {
      const places = Array.from({ length: Math.min(parallel, count - at) }, (_, place) => at + place);
      results.push(...(await Promise.all(places.map((place) => work(locks, from + place, given[place] ?? "")))));
    }
    return Response.json(results);
  },
};
