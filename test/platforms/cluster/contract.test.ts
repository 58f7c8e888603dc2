import { afterAll, beforeAll } from "vitest";
import { startCluster } from "../../../tools/redis-topologies.ts";
import { contracts } from "../../contract/all.ts";
import { type Front, startFront } from "../../support/stack.ts";

let front: Front;
beforeAll(async () => {
  front = await startFront(await startCluster(3));
});
afterAll(() => front?.stop());

contracts("a cluster of three behind the gateway", () => ({ url: front.url, token: front.token }));
