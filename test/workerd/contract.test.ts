import { Redis } from "@upstash/redis/cloudflare";
import { inject } from "vitest";
import { contracts } from "../contract/all.ts";
import type {} from "./provided.ts";

const endpoint = { url: inject("url"), token: inject("token") };
const ways = {
  "own transport in workerd": () => endpoint,
  "@upstash/redis in workerd": () => ({ redis: new Redis(endpoint) }),
};
for (const [label, way] of Object.entries(ways)) {
  contracts(label, way);
}
