/** The part of the runtime's module that this package needs, where the types of Workers are not loaded. */
declare module "cloudflare:workers" {
  export abstract class DurableObject {
    constructor(ctx: unknown, env: unknown);
    protected ctx: { readonly storage: import("./src/object-storage.ts").ObjectStorage };
    alarm?(): void | Promise<void>;
  }
}
