import { once } from "node:events";
import { connect } from "node:net";
import { ErrorReply, type Reply, Status } from "../../src/redis/reply.ts";

/** A connection to a real Redis, with words and replies of one character for each byte, as the engine has them. */
export interface RespClient {
  /** Sends commands at once and gives their replies. */
  send(commands: readonly (readonly string[])[]): Promise<Reply[]>;
  close(): void;
}

interface Parsed {
  readonly reply: Reply;
  readonly end: number;
}

/** The reply that begins at a place, or undefined when a part of it has not arrived. */
function parse(text: string, from: number): Parsed | undefined {
  const line = text.indexOf("\r\n", from);
  if (line === -1) return undefined;
  const rest = text.slice(from + 1, line);
  const end = line + 2;
  switch (text[from]) {
    case "+":
      return { reply: new Status(rest), end };
    case "-":
      return { reply: new ErrorReply(rest), end };
    case ":": {
      const number = Number(rest);
      return { reply: Number.isSafeInteger(number) ? number : BigInt(rest), end };
    }
    case "$": {
      const size = Number(rest);
      if (size < 0) return { reply: null, end };
      return text.length < end + size + 2 ? undefined : { reply: text.slice(end, end + size), end: end + size + 2 };
    }
    default: {
      const items: Reply[] = [];
      let at = end;
      if (rest === "-1") return { reply: null, end };
      for (let n = Number(rest); n > 0; n--) {
        const item = parse(text, at);
        if (!item) return undefined;
        items.push(item.reply);
        at = item.end;
      }
      return { reply: items, end: at };
    }
  }
}

const encode = (words: readonly string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join("")}`;

export async function respClient(port: number): Promise<RespClient> {
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  await once(socket, "connect");
  let text = "";
  let replies: Reply[] = [];
  let arrived = (): void => {};
  socket.on("data", (chunk: string) => {
    text += chunk;
    let at = 0;
    for (let next = parse(text, at); next; next = parse(text, at)) {
      replies.push(next.reply);
      at = next.end;
    }
    text = text.slice(at);
    arrived();
  });
  let isOver = false;
  socket.on("close", () => {
    isOver = true;
    arrived();
  });
  return {
    async send(commands) {
      replies = [];
      socket.write(commands.map(encode).join(""), "latin1");
      while (replies.length < commands.length) {
        if (isOver) throw new Error(`the server ended the connection at ${commands[replies.length]}`);
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
      }
      return replies;
    },
    close: () => socket.destroy(),
  };
}
