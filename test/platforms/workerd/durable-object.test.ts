import { env } from "cloudflare:workers";
import { durableObject } from "../../../durable-object/src/index.ts";
import { contracts } from "../../contract/all.ts";
import type {} from "./provided.ts";

contracts("Durable Objects", () => ({ redis: durableObject(env.LEASEHOLD) }));
