import { Redis } from "@upstash/redis/cloudflare";
import { inject } from "vitest";
import { contracts } from "../../contract/all.ts";
import type {} from "./provided.ts";

const endpoint = { url: inject("url"), token: inject("token") };
// Our own transport is shown in workerd by test/platforms/runtime, on the packed package.
contracts("@upstash/redis in workerd", () => ({ redis: new Redis(endpoint) }));
