import { afterAll, expect } from "vitest";
import type { ConnectOptions } from "../../src/index.ts";
import { useStack } from "../support/use-stack.ts";
import { fairContract } from "./fair-lock.ts";
import { latchContract } from "./latch.ts";
import { lockContract } from "./lock.ts";

const stack = useStack({ holds: true });
let held = 0;
const counting = (): ConnectOptions => ({
  url: stack.url,
  token: stack.token,
  async fetch(url, init) {
    const response = await fetch(url, init);
    if (response.headers.get("preference-applied") === "wait") held++;
    return response;
  },
});

const LABEL = "a server that holds requests";
lockContract(LABEL, counting);
fairContract(LABEL, counting);
latchContract(LABEL, counting);

afterAll(() => expect(held).toBeGreaterThan(5));
