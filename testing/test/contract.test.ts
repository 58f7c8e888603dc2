import { contracts } from "../../test/contract/all.ts";
import { lockContract } from "../../test/contract/lock.ts";
import { createMemoryRedis } from "../src/index.ts";

const { url, token, fetch } = createMemoryRedis();

contracts("in memory", () => ({ url, token, fetch }));
lockContract("in memory, flagged", () => ({ url, token, fetch, dialect: "flagged" }));
