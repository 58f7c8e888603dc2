import { fairContract } from "./fair-lock.ts";
import { heldContracts } from "./held.ts";
import { latchContract } from "./latch.ts";
import { lockContract } from "./lock.ts";

heldContracts({ lock: lockContract, "fair lock": fairContract, latch: latchContract });
