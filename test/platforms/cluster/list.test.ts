import { afterAll, beforeAll, expect, it } from "vitest";
import { createLocks } from "../../../src/index.ts";
import { readNames } from "../../../src/list/read-names.ts";
import { startCluster } from "../../../tools/redis-topologies.ts";
import { type Front, startFront } from "../../support/stack.ts";

let front: Front;
beforeAll(async () => {
  front = await startFront(await startCluster(3));
});
afterAll(() => front?.stop());

it("names of many slots are read, one by one, where a cluster refuses the script for a page", async () => {
  const answers: string[] = [];
  const { url, token } = front;
  const locks = createLocks({
    url,
    token,
    prefix: "many:",
    async fetch(...request: Parameters<typeof fetch>) {
      const response = await fetch(...request);
      answers.push(await response.clone().text());
      return response;
    },
  });
  const names = ["a", "b", "c", "d", "e", "f"];
  for (const name of names) await locks.lock(name).acquire({ label: `holder of ${name}` });
  await locks.semaphore("pool", { permits: 3 }).acquire({ permits: 2, label: "page" });
  const known = new Map([...names, "pool", "nobody"].map((name) => [`many:{${name}}`, ""]));
  const before = answers.length;

  const readings = await readNames(locks.connection, known, { operation: "list" });

  expect(answers.slice(before).some((answer) => answer.includes("CROSSSLOT"))).toBe(true);
  const held = readings.flatMap(({ entry }) => (entry?.held ? [[entry.name, entry.kind, entry.label]] : []));
  expect(held).toEqual([...names.map((name) => [name, "lock", `holder of ${name}`]), ["pool", "semaphore", undefined]]);
  expect(readings.find(({ key }) => key === "many:{nobody}")?.entry?.held ?? false).toBe(false);
});
