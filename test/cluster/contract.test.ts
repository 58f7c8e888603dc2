import { afterAll, beforeAll } from "vitest";
import { type GatewayServer, serveGateway } from "../../gateway/src/index.ts";
import { type Cluster, startCluster } from "../../tools/redis-topologies.ts";
import { contracts } from "../contract/all.ts";

const token = "test-token-0123456789";
let cluster: Cluster;
let gateway: GatewayServer;
beforeAll(async () => {
  cluster = await startCluster(3);
  gateway = await serveGateway({ redis: cluster.url, token, port: 0 });
});
afterAll(async () => {
  await gateway?.close();
  await cluster?.stop();
});

contracts("a cluster of three behind the gateway", () => ({ url: gateway.url, token }));
