import { Redis } from "@upstash/redis/cloudflare";
import { inject } from "vitest";
import { lockContract } from "../contract/lock.ts";
import { onceContract } from "../contract/once.ts";
import type {} from "./provided.ts";

const endpoint = { url: inject("url"), token: inject("token") };
const ways = {
  "own transport in workerd": () => endpoint,
  "@upstash/redis in workerd": () => ({ redis: new Redis(endpoint) }),
};
for (const [label, way] of Object.entries(ways)) {
  lockContract(label, way);
  onceContract(label, way);
}
