import { heldContracts } from "./held.ts";
import { multiContract } from "./multi-lock.ts";
import { onceContract } from "./once.ts";
import { rwContract } from "./read-write-lock.ts";
import { semaphoreContract } from "./semaphore.ts";
import { requestContract } from "./web-locks.ts";

heldContracts({
  "multi-lock": multiContract,
  once: onceContract,
  "read-write lock": rwContract,
  semaphore: semaphoreContract,
  request: requestContract,
});
