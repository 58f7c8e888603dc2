import { type InjectionToken, Logger, ServiceUnavailableException } from "@nestjs/common";
import {
  type Around,
  type AroundLease,
  type Connection,
  type ConnectionSource,
  type ConnectOptions,
  connect,
  createLocks,
  type Duration,
  type Locks,
} from "leasehold";
import { connectionOf, inCall, noop, toFunction, toMs, until, withMembers } from "leasehold/internal";

/** Options of `LeaseholdModule`, in addition to those of `connect`. */
export interface ShutdownOptions {
  /**
   * How long a shutdown waits for work under a lease, in ms or like `"10s"`. Leases still held then are reported, and
   * expire. Default 10 s.
   */
  readonly shutdownTimeout?: Duration | undefined;
  /** Called and awaited at the end of the shutdown, when Redis is no longer used: `() => client.quit()`. */
  readonly onShutdown?: (() => unknown) | undefined;
}

/**
 * Options of `LeaseholdModule`: how to connect and how to shut down. To connect, pass the options of `connect`, or an
 * existing connection such as `fromEnv()` or `{ connection: fromEnv() }`.
 */
export type LeaseholdOptions = (ConnectOptions | ConnectionSource) & ShutdownOptions;

/** The state shared by the decorated methods of one application. */
export interface Runtime {
  readonly locks: Locks;
  /** Ends waits when the application shuts down. */
  readonly signal: AbortSignal;
  /** Keeps a shutdown waiting for a call of a decorated method. */
  track<T>(what: string, call: Promise<T>): Promise<T>;
  /**
   * Registers a method for a job. Returns another method already registered for a job of that name, if there is one.
   */
  claimJob(name: string, method: string): string | undefined;
  beforeApplicationShutdown(): void;
  onApplicationShutdown(): Promise<void>;
}

/** What Nest shows in its error if the module is not imported. */
export const RUNTIME: InjectionToken<Runtime> = Symbol("LeaseholdModule.forRoot()");

const nameOf = ({ kind, name }: AroundLease): string => `${kind} ${JSON.stringify(name)}`;

/** Opens the connection. @throws TypeError or RangeError, like `connect`. */
function openConnection(options: LeaseholdOptions): Connection {
  const input = Object(options) as object;
  if ("port" in input || "connection" in input) return connectionOf(options as ConnectionSource);
  const { shutdownTimeout: _, onShutdown: __, ...connectOptions } = input as ConnectOptions & ShutdownOptions;
  return connect(connectOptions);
}

/** @throws TypeError or RangeError, like `connect`. */
export function createRuntime(options: LeaseholdOptions): Runtime {
  const base = openConnection(options);
  const { shutdownTimeout = "10s", onShutdown = noop } = options;
  const shutdownTimeoutMs = inCall("LeaseholdModule", () => {
    toFunction(onShutdown, "onShutdown");
    return toMs(shutdownTimeout, "shutdownTimeout", 0);
  });
  const stop = new AbortController();
  const running = new Map<Promise<unknown>, string>();
  const jobs = new Map<string, string>();
  const track = <T>(what: string, call: Promise<T>): Promise<T> => {
    const ended = call.then(noop, noop).finally(() => running.delete(ended));
    running.set(ended, what);
    return call;
  };
  const around: Around = (lease, work) => {
    const tracked = (): Promise<void> => track(nameOf(lease), work());
    const hooked = base.around?.(lease, tracked);
    // The work starts once, here at the latest, so that a hook that does not call it cannot hide it from a shutdown.
    void tracked();
    return hooked;
  };
  const locks = createLocks(withMembers(base, { around }));
  return {
    locks,
    signal: stop.signal,
    track,
    claimJob(name, method) {
      const other = jobs.get(name) ?? method;
      jobs.set(name, other);
      return other === method ? undefined : other;
    },
    beforeApplicationShutdown() {
      stop.abort(new ServiceUnavailableException("The application is shutting down"));
    },
    async onApplicationShutdown() {
      const deadline = performance.now() + shutdownTimeoutMs;
      // Work may start other work before it ends.
      while (running.size > 0 && performance.now() < deadline)
        await until(Promise.all(running.keys()), deadline - performance.now());
      if (running.size > 0)
        new Logger("LeaseholdModule").warn(`Still running: ${[...running.values()].join(", ")}. Their leases expire.`);
      await onShutdown();
    },
  };
}
