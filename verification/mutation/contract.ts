/** The contract of some or all kinds, over one connection type. */
import type { ConnectOptions } from "../../src/index.ts";
import { fairContract } from "../../test/contract/fair-lock.ts";
import { latchContract } from "../../test/contract/latch.ts";
import { lockContract } from "../../test/contract/lock.ts";
import { multiContract } from "../../test/contract/multi-lock.ts";
import { onceContract } from "../../test/contract/once.ts";
import { rwContract } from "../../test/contract/read-write-lock.ts";
import { semaphoreContract } from "../../test/contract/semaphore.ts";
import { requestContract } from "../../test/contract/web-locks.ts";
import { useStack } from "../../test/support/use-stack.ts";

const CONTRACTS = {
  lock: lockContract,
  once: onceContract,
  semaphore: semaphoreContract,
  multi: multiContract,
  rw: rwContract,
  fair: fairContract,
  latch: latchContract,
  request: requestContract,
};

const { url, token, fetch } = useStack();
const kinds: readonly string[] = (process.env["MUTANT_KINDS"] ?? Object.keys(CONTRACTS).join()).split(",");
for (const [kind, contract] of Object.entries(CONTRACTS))
  if (kinds.includes(kind)) contract("contract", () => ({ url, token, fetch }) as ConnectOptions);
