import { connect as connectTcp, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { tlsFor } from "./tls.ts";
import type { ServerAddress } from "./url.ts";

const CONNECT_MS = 2_000;
/** How long a server may take to end its side of an ended connection. */
const END_MS = 200;

/** The error of a connection that the gateway ends; the log shows its `code`. */
export class Dropped extends Error {
  override readonly name = "Dropped";
  readonly code: string;

  constructor(reason: string) {
    super(reason);
    this.code = reason;
  }
}

/** A socket to one server, which is replaced after a loss. */
export interface KeptSocket {
  /** Records that the server is usable: the next failure counts as the first one again. */
  succeed(): void;
  /** Ends the current socket. Another one follows. */
  end(): void;
  /** Ends the current socket permanently. */
  close(): void;
}

interface Events {
  /** The pause before the next attempt, in ms, after a number of failures in a row; `null` means no further attempt. */
  delayAfter(failures: number): number | null;
  /** Called when a socket is open, after the TLS handshake if there is one, before anything is read. */
  opened(stream: Duplex): void;
  /** Called with the reason that a socket did not open or was lost. It contains no address or secret. */
  failed(reason: string): void;
  /** Called when a socket was lost, or an attempt to open one has failed. */
  gone(): void;
}

/** A closed stream, used while none is open. */
export const NOWHERE: Duplex = new Duplex({ read() {} }).destroy();

const reasonOf = (error: NodeJS.ErrnoException): string => error.code ?? "connection failed";

function socketTo(server: ServerAddress): Socket {
  if ("path" in server) return connectTcp({ path: server.path });
  const { host, port, tls } = server;
  return tls === undefined ? connectTcp({ host, port }) : connectTls({ host, port, ...tlsFor(tls, host) });
}

/**
 * Opens a socket, over TLS if the address says so.
 *
 * @param signal ends the attempt
 * @throws {Dropped} after 2 s; otherwise Node's own error
 */
function openSocket(server: ServerAddress, signal: AbortSignal): Promise<Duplex> {
  const socket = socketTo(server);
  return new Promise((resolve, reject) => {
    const giveUp = (): void => void socket.destroy();
    const timer = setTimeout(() => socket.destroy(new Dropped("ETIMEDOUT")), CONNECT_MS);
    const settled = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    };
    signal.addEventListener("abort", giveUp);
    socket.once("error", reject);
    socket.once("close", () => {
      settled();
      reject(new Dropped("connection failed"));
    });
    socket.once("tls" in server && server.tls !== undefined ? "secureConnect" : "connect", () => {
      settled();
      // Commands that are sent together are already one write.
      socket.setNoDelay(true);
      socket.setKeepAlive(true);
      resolve(socket);
    });
  });
}

/** Opens a socket, and another one after each loss. */
export function keepSocket(server: ServerAddress, { delayAfter, opened, failed, gone }: Events): KeptSocket {
  const closing = new AbortController();
  let stream = NOWHERE;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;

  function lost(): void {
    gone();
    const delay = closing.signal.aborted ? null : delayAfter(++failures);
    if (delay !== null) timer = setTimeout(attempt, delay);
  }

  function end(): void {
    const ended = stream;
    ended.end();
    setTimeout(() => ended.destroy(), END_MS).unref();
  }

  function use(next: Duplex): void {
    stream = next;
    next.on("error", (error) => failed(reasonOf(error)));
    next.once("close", lost);
    if (closing.signal.aborted) next.destroy();
    else opened(next);
  }

  function attempt(): void {
    openSocket(server, closing.signal).then(use, (error: NodeJS.ErrnoException) => {
      if (!closing.signal.aborted) failed(reasonOf(error));
      lost();
    });
  }

  attempt();
  return {
    succeed() {
      failures = 0;
    },
    end,
    close() {
      closing.abort();
      clearTimeout(timer);
      end();
    },
  };
}
