import type { ConnectOptions } from "../../src/index.ts";

type Fetch = NonNullable<Extract<ConnectOptions, { readonly url: string }>["fetch"]>;

/** Options of a client that polls: none of its requests asks the server to hold it. */
export function polling(options: ConnectOptions): ConnectOptions {
  if (options.redis !== undefined) {
    const { redis } = options;
    if (!("port" in redis)) return options;
    const { port } = redis;
    const polled: typeof port = Object.assign(
      (...[command, signal, behind]: Parameters<typeof port>) => port(command, signal, behind),
      {
        isSingle: port.isSingle ?? false,
      },
    );
    return { ...options, redis: { ...redis, port: polled } };
  }
  const { fetch: send = globalThis.fetch as Fetch } = options;
  const fetch: Fetch = (url, init) => {
    const { prefer: _, ...headers } = init.headers;
    return send(url, { ...init, headers });
  };
  return { ...options, fetch };
}
