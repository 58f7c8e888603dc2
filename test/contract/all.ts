import type { ConnectOptions } from "../../src/index.ts";
import { fairContract } from "./fair-lock.ts";
import { latchContract } from "./latch.ts";
import { lockContract } from "./lock.ts";
import { multiContract } from "./multi-lock.ts";
import { onceContract } from "./once.ts";
import { rwContract } from "./read-write-lock.ts";
import { semaphoreContract } from "./semaphore.ts";
import { requestContract } from "./web-locks.ts";

/** The behaviour of all kinds on every way to Redis and in every runtime. */
export function contracts(label: string, options: () => ConnectOptions): void {
  fairContract(label, options);
  latchContract(label, options);
  lockContract(label, options);
  multiContract(label, options);
  onceContract(label, options);
  requestContract(label, options);
  rwContract(label, options);
  semaphoreContract(label, options);
}
