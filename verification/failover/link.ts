/**
 * A TCP proxy in front of one server: what the network between it and everybody else does. It can stall, as in a
 * partition, cut all connections, lead to another server, and keep a replica behind.
 */
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export interface Link {
  readonly port: number;
  /** Leads new connections to this port. */
  lead(port: number): void;
  /**
   * Forwards nothing from now on, in either direction. Connections stay open, as in a partition; that of a replica is
   * cut, since what was on its way is lost.
   */
  stall(): void;
  /** Delivers what was sent meanwhile, late, and continues. */
  resume(): void;
  /** Ends all connections. What is on its way to a replica is lost; what is on its way to a client arrives. */
  cut(): void;
  close(): Promise<void>;
}

interface Wire {
  readonly near: Socket;
  readonly far: Socket;
  isReplica: boolean;
  /** What the server sent to a replica, and has not arrived there. */
  readonly late: Set<AbortController>;
}

/** The command by which a replica asks for the changes of its primary. */
const REPLICA = "PSYNC";

/** @param replicaDelayMs how long what a primary sends to a replica is on its way */
export async function startLink(target: number, replicaDelayMs = 0): Promise<Link> {
  const wires = new Set<Wire>();
  let led = target;
  let isStalled = false;

  function accept(near: Socket): void {
    const far = connect(led, "127.0.0.1");
    const wire: Wire = { near, far, isReplica: false, late: new Set() };
    wires.add(wire);
    const end = (): void => {
      for (const delivery of wire.late) delivery.abort();
      near.destroySoon();
      far.destroySoon();
      wires.delete(wire);
    };
    const deliverLate = async (bytes: Buffer): Promise<void> => {
      const delivery = new AbortController();
      wire.late.add(delivery);
      // Deliveries overtake none before them, since all take the same time.
      await pause(replicaDelayMs, undefined, { signal: delivery.signal }).then(
        () => near.write(bytes),
        () => {},
      );
      wire.late.delete(delivery);
    };
    for (const socket of [near, far]) socket.setNoDelay(true).on("error", end).on("close", end);
    near.on("data", (bytes) => {
      wire.isReplica ||= replicaDelayMs > 0 && bytes.includes(REPLICA);
      far.write(bytes);
    });
    far.on("data", (bytes) => void (wire.isReplica ? deliverLate(bytes) : near.write(bytes)));
    if (isStalled) for (const socket of [near, far]) socket.pause();
  }

  const server: Server = createServer(accept);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Servers that did not start leave their links behind.
  server.unref();
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    lead(port) {
      led = port;
    },
    stall() {
      isStalled = true;
      for (const { near, far, isReplica } of wires)
        if (isReplica) near.destroy();
        else for (const socket of [near, far]) socket.pause();
    },
    resume() {
      isStalled = false;
      for (const { near, far } of wires) for (const socket of [near, far]) socket.resume();
    },
    cut() {
      for (const { near, late } of wires) {
        for (const delivery of late) delivery.abort();
        near.destroySoon();
      }
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const { near } of wires) near.destroy();
      await closed;
    },
  };
}
