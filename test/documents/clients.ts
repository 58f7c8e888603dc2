/** The clients over TCP of the examples, which leave them open as a service does. Here they are closed in the end. */
import { Redis as Ioredis, type RedisOptions } from "ioredis";
import postgres from "pg";
import { createClient as create, type RedisClientOptions } from "redis";

const open: (() => unknown)[] = [];

export class Redis extends Ioredis {
  constructor(url: string, options: RedisOptions = {}) {
    super(url, options as never);
    open.push(() => this.disconnect());
  }
}

export const pg = {
  Pool: class extends postgres.Pool {
    constructor(config: postgres.PoolConfig) {
      super(config);
      open.push(() => void this.end());
    }
  },
};

export function createClient(options: RedisClientOptions): ReturnType<typeof create> {
  const client = create(options as object);
  open.push(() => client.destroy());
  return client as ReturnType<typeof create>;
}

export function closeClients(): void {
  for (const close of open.splice(0)) close();
}
