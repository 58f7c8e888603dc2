import type { ConnectOptions } from "../../src/index.ts";
import { fairContract } from "./fair.ts";
import { latchContract } from "./latch.ts";
import { lockContract } from "./lock.ts";
import { multiContract } from "./multi.ts";
import { onceContract } from "./once.ts";
import { requestContract } from "./request.ts";
import { rwContract } from "./rw.ts";
import { semaphoreContract } from "./semaphore.ts";

/** What every way to Redis and every runtime must show of all kinds. */
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
