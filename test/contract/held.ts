import { afterAll, beforeAll, describe, expect } from "vitest";
import type { ConnectOptions } from "../../src/index.ts";
import { useStack } from "../support/use-stack.ts";

type Contract = (label: string, options: () => ConnectOptions) => void;

/** The contracts of some kinds over a gateway that holds requests. Each of them has some held. */
export function heldContracts(contracts: Readonly<Record<string, Contract>>): void {
  const stack = useStack({ holds: true });
  describe.each(Object.entries(contracts))("%s", (_, contract) => {
    let before = 0;
    beforeAll(async () => {
      before = await stack.heldSoFar();
    });
    contract("a server that holds requests", () => ({ url: stack.url, token: stack.token }));
    afterAll(async () => {
      expect(await stack.heldSoFar()).toBeGreaterThan(before);
    });
  });
}
