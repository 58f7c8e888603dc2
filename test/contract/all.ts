import type { ConnectOptions } from "../../src/index.ts";
import { lockContract } from "./lock.ts";
import { onceContract } from "./once.ts";

/** What every way to Redis and every runtime must show of all kinds. */
export function contracts(label: string, options: () => ConnectOptions): void {
  lockContract(label, options);
  onceContract(label, options);
}
