/** The part of Bun that the examples use, as Bun 1.4 declares it. */
declare module "bun" {
  export class RedisClient {
    constructor(url?: string, options?: { readonly idleTimeout?: number });
    readonly connected: boolean;
    connect(): Promise<void>;
    send(command: string, args: string[]): Promise<unknown>;
    close(): void;
  }
}
