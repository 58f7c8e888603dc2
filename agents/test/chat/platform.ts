import { type Adapter, type Chat, type ChatInstance, Message, parseMarkdown } from "chat";

/** A message as the platform of the tests delivers it. */
export interface Delivery {
  readonly thread: string;
  readonly id: string;
  readonly text: string;
}

/** A platform of chats in this process: an adapter for `chat`, and what bots have posted. */
export interface Platform {
  readonly adapter: Adapter;
  readonly posted: readonly string[];
}

/** Makes a platform. Its webhook takes a {@link Delivery} as JSON. */
export function createPlatform(): Platform {
  const posted: string[] = [];
  let chat: ChatInstance | undefined;
  const toMessage = ({ thread, id, text }: Delivery): Message =>
    new Message({
      id,
      threadId: thread,
      text,
      formatted: parseMarkdown(text),
      raw: {},
      author: { userId: "u1", userName: "ann", fullName: "Ann", isBot: false, isMe: false },
      metadata: { dateSent: new Date(), edited: false },
      attachments: [],
      isMention: true,
    });
  const adapter = {
    name: "slack",
    userName: "helper",
    async initialize(instance: ChatInstance) {
      chat = instance;
    },
    async handleWebhook(request: Request) {
      const delivery = (await request.json()) as Delivery;
      await chat?.processMessage(adapter as unknown as Adapter, delivery.thread, toMessage(delivery));
      return new Response("ok");
    },
    channelIdFromThreadId: (thread: string) => thread.split(":").slice(0, 2).join(":"),
    parseMessage: toMessage,
    renderFormatted: () => "",
    async postMessage(threadId: string, message: unknown) {
      posted.push(typeof message === "string" ? message : JSON.stringify(message));
      return { id: `p${posted.length}`, threadId, raw: {} };
    },
    async startTyping() {},
    async fetchMessages() {
      return { messages: [] };
    },
  };
  return { adapter: adapter as unknown as Adapter, posted };
}

/** Delivers a message to a bot, as the platform's webhook. */
export async function deliver(bot: Chat, delivery: Delivery): Promise<void> {
  const body = JSON.stringify(delivery);
  const webhooks = bot.webhooks as Readonly<Record<string, (request: Request) => Promise<Response>>>;
  await webhooks["slack"]?.(new Request("https://bot.example/slack", { method: "POST", body }));
}
