import { Redis } from "@upstash/redis";
import { useStack } from "../support/use-stack.ts";
import { contracts } from "./all.ts";
import { lockContract } from "./lock.ts";

const stack = useStack();

const ways = {
  "own transport": () => ({ url: stack.url, token: stack.token }),
  // Another dialect of the scripts, by a way that is shorter.
  "own transport, flagged": () => {
    const { url, token, fetch } = stack;
    return { url, token, fetch, dialect: "flagged" as const };
  },
};
for (const [label, way] of Object.entries(ways)) {
  contracts(label, way);
}

for (const [enableAutoPipelining, automaticDeserialization] of [
  [true, true],
  [false, false],
] as const) {
  const label = `@upstash/redis, pipelining ${enableAutoPipelining}, deserialization ${automaticDeserialization}`;
  const way = () => ({
    redis: new Redis({ url: stack.url, token: stack.token, enableAutoPipelining, automaticDeserialization }),
  });
  // In the short form the lock shows that replies which come as texts are read.
  (automaticDeserialization || process.env["EVERY_CLIENT"] ? contracts : lockContract)(label, way);
}
