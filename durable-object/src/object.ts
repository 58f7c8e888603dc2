import { DurableObject } from "cloudflare:workers";
import { createObjectHandler, type ObjectHandler, type RunOptions, type RunResult } from "./handler.ts";

/**
 * The Durable Object for a name, or for the names of a group. Export it from the Worker's main module, and declare it
 * in wrangler's configuration with the storage `sqlite`.
 */
export class LeaseholdObject extends DurableObject {
  readonly #handler: ObjectHandler = createObjectHandler({ storage: this.ctx.storage });

  /** Runs commands for a Worker of the same account; `durableObject` calls it. */
  run(commands: string[][], options?: RunOptions): Promise<RunResult> {
    return this.#handler.run(commands, options);
  }

  override alarm(): Promise<void> {
    return this.#handler.alarm();
  }
}
