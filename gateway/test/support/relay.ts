import { connect, createServer, type Socket } from "node:net";
import { cut as cutReplies } from "./cut.ts";

/** A TCP relay between gateway and Redis, which can lose the answers that Redis gives. */
export interface Relay {
  readonly url: string;
  /** How many connections the gateway has opened. */
  readonly connections: number;
  /** From now on answers are dropped; commands still arrive. */
  loseAnswers(): void;
  /** Answers pass again. */
  pass(): void;
  /** From now on answers wait until they are let pass. */
  holdBack(): { pass(): void };
  /** Each answer from now on goes through this: what it gives arrives instead. */
  edit(change: (reply: Buffer) => readonly Buffer[]): void;
  /** From now on commands that match end their connection, or are dropped without an answer. */
  refuse(commands: RegExp, how: "end" | "drop"): void;
  /** Sends what nobody has asked for. */
  say(reply: string): void;
  /** Closes the connections that are open now. */
  cut(): void;
  close(): Promise<void>;
}

export async function startRelay(redisPort: number, port = 0): Promise<Relay> {
  const sockets = new Set<Socket>();
  const nears = new Set<Socket>();
  let lossy = false;
  let held: (() => void)[] | undefined;
  let change: ((reply: Buffer) => readonly Buffer[]) | undefined;
  let refused: { readonly commands: RegExp; readonly how: "end" | "drop" } | undefined;
  let connections = 0;
  const server = createServer((near) => {
    connections++;
    nears.add(near);
    near.on("close", () => nears.delete(near));
    let pending = Buffer.alloc(0);
    const far = connect(redisPort, "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on("data", (bytes) => {
      if (!refused?.commands.test(bytes.toString())) far.write(bytes);
      else if (refused.how === "end") near.destroy();
    });
    far.on("data", (bytes) => {
      if (lossy) return;
      if (held !== undefined) return void held.push(() => near.write(bytes));
      if (change === undefined) return void near.write(bytes);
      const { replies, rest } = cutReplies(Buffer.concat([pending, bytes]));
      pending = Buffer.from(rest);
      for (const reply of replies.flatMap(change)) near.write(reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `redis://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    get connections() {
      return connections;
    },
    loseAnswers: () => {
      lossy = true;
    },
    pass: () => {
      lossy = false;
    },
    holdBack() {
      held = [];
      return {
        pass() {
          const answers = held ?? [];
          held = undefined;
          // All that waited on a connection arrives together.
          for (const near of nears) near.cork();
          for (const send of answers) send();
          for (const near of nears) near.uncork();
        },
      };
    },
    edit: (next) => {
      change = next;
    },
    refuse(commands, how) {
      refused = { commands, how };
    },
    say: (reply) => {
      for (const near of nears) near.write(reply);
    },
    cut,
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
