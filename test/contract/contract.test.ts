import { Redis } from "@upstash/redis";
import { useStack } from "../support/use-stack.ts";
import { contracts } from "./all.ts";

const stack = useStack();

const ways = {
  "own transport": () => ({ url: stack.url, token: stack.token }),
  "own transport, flagged": () => ({ url: stack.url, token: stack.token, dialect: "flagged" as const }),
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
  contracts(label, way);
}
