import { useStack } from "../support/use-stack.ts";
import { multiContract } from "./multi-lock.ts";
import { onceContract } from "./once.ts";
import { rwContract } from "./read-write-lock.ts";
import { semaphoreContract } from "./semaphore.ts";
import { requestContract } from "./web-locks.ts";

const stack = useStack({ holds: true });

/** The kinds that the short form leaves out. */
for (const contract of [multiContract, onceContract, rwContract, semaphoreContract, requestContract])
  contract("a server that holds requests", () => ({ url: stack.url, token: stack.token }));
