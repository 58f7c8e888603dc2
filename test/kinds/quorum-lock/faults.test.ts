import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerLost, heldBack, onItsWay, transientOf, unheard } from "../../faults/faults.ts";
import { TIMEOUT_MS } from "../../faults/world.ts";
import { type ProxiedQuorum, type Quorum, startProxies, startQuorum } from "./quorum.ts";
import { armed, deliver, isFree, isOurs, quorumSites, quorumWorld, replay } from "./sites.ts";

let quorum: Quorum;
beforeAll(async () => {
  quorum = await startQuorum(3, { warm: true });
});
afterAll(() => quorum.stop());

/** Proxies of its own for each story: what one is to do must not meet another's requests. */
async function withProxies(story: (proxied: ProxiedQuorum) => Promise<void>): Promise<void> {
  const proxied = await startProxies(quorum);
  await story(proxied).finally(() => proxied.close());
}

const faults = Object.entries(transientOf("quorumLock", TIMEOUT_MS));
/** On one server alone nothing has to be overcome: it is enough that nothing comes of it later. */
const alone = faults.filter(([name]) => /lost after|before it ran|at once|done|gave up/.test(name));
const cases = [
  ...faults.map(([fault, list]) => ({ fault, list, servers: 3 })),
  ...alone.map(([fault, list]) => ({ fault, list, servers: 1 })),
];

describe.concurrent.each(quorumSites)("quorum: $name", (site) => {
  it.each(cases)("overcomes on $servers of 3 servers: $fault", ({ list, servers }) =>
    withProxies(async (proxied) => {
      const world = quorumWorld(quorum, proxied);
      const lease = await site.act(world, () => armed(world, site.script, servers, list));
      const stands = async (): Promise<void> => (lease ? isOurs(world, lease) : isFree(world));
      await stands();
      await deliver(world);
      await stands();
      if (lease) expect(await lease.release()).toBe(true);
      await isFree(world);
      for (const order of ["forward", "backward"] as const) {
        await replay(world, order);
        await isFree(world);
      }
    }),
  );

  const lasting = [answerLost, onItsWay, heldBack, unheard];
  it.each(
    lasting.map((fault, index) => [["answers lost", "requests late", "held back", "unheard"][index], fault] as const),
  )("on a majority for good, %s: an error that says so, and nothing is left when all has arrived", (_, fault) =>
    withProxies(async (proxied) => {
      const world = quorumWorld(quorum, proxied);
      const stop: (() => void)[] = [];
      const lift = (): void => {
        for (const end of stop.splice(0)) end();
      };
      const error = await site
        .act(world, () => {
          for (const { always } of proxied.proxies.slice(1)) stop.push(always(site.script, fault));
          // They ask again, an extension while its lease lasts.
          if (site.name === "extend" || site.name === "release") setTimeout(lift, 600);
        })
        .then(
          (lease) => lease?.release(),
          (thrown: unknown) => thrown,
        );
      if (site.name === "acquire" || site.name === "commit") expect(error).toMatchObject({ code: "no_quorum" });
      else expect(error === undefined || error === true).toBe(true);
      expect(world.events.filter(({ type }) => type === "refused")).toEqual([]);
      lift();
      await deliver(world);
      await isFree(world);
      for (const order of ["forward", "backward"] as const) {
        await replay(world, order);
        await isFree(world);
      }
    }),
  );
});
