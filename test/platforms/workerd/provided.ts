/** The values that the set-up gives to tests inside workerd. */
declare module "vitest" {
  interface ProvidedContext {
    url: string;
    token: string;
  }
}

import type { LeaseholdObject } from "../../../durable-object/src/index.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      readonly LEASEHOLD: DurableObjectNamespace<LeaseholdObject>;
    }
  }
}
