/**
 * A chat with the AI SDK in a Route Handler of Next.js (`app/api/chat/route.ts`): a newer message of a conversation ends
 * the answer that is streaming, and its request to the model. Each tool call runs once, also when the message comes
 * again, and an answer that was overtaken calls no more tools.
 */
import {
  convertToModelMessages,
  createUIMessageStream,
  createUIMessageStreamResponse,
  isStepCount,
  streamText,
  tool,
  toUIMessageStream,
  type UIMessage,
} from "ai";
import { fromEnv } from "leasehold";
import { type AgentTurn, turn } from "leasehold-agents";
import { z } from "zod";

/** In seconds. */
export const maxDuration = 300;

// Reads the environment with the first request: while Next.js builds there is none.
const locks = fromEnv();

/** Books a table, unless the restaurant has seen a higher token of the conversation. */
async function book(time: string, { token, signal }: Pick<AgentTurn, "token" | "signal">): Promise<string> {
  const headers = { "Fencing-Token": `${token}` };
  const booked = await fetch(`${process.env.RESTAURANT_URL}/book/${time}`, { method: "POST", headers, signal });
  if (!booked.ok) throw new Error(`the restaurant answered ${booked.status}`);
  return booked.text();
}

function toolsOf({ step }: AgentTurn) {
  return {
    book: tool({
      description: "Books a table.",
      inputSchema: z.object({ time: z.string() }),
      execute: ({ time }) => step(`book ${time}`, (given) => book(time, given)),
    }),
  };
}

const inWords = (error: unknown): string =>
  (error as { code?: string }).code === "lease_lost" ? "A newer message is being answered." : "Something went wrong.";

export async function POST(request: Request): Promise<Response> {
  const { id, messages } = (await request.json()) as { id: string; messages: UIMessage[] };
  const options = { onBusy: "supersede", id: messages.at(-1)?.id, maxHold: "280s", signal: request.signal } as const;
  const stream = createUIMessageStream({
    onError: inWords,
    execute: ({ writer }) =>
      turn(locks, `chat:${id}`, options, async (mine) => {
        const result = streamText({
          model: process.env.MODEL ?? "anthropic/claude-sonnet-4.5",
          messages: await convertToModelMessages(messages),
          tools: toolsOf(mine),
          stopWhen: isStepCount(8),
          abortSignal: mine.signal,
        });
        writer.merge(toUIMessageStream({ stream: result.stream }));
        // The turn lasts as long as the answer.
        await result.consumeStream();
      }),
  });
  return createUIMessageStreamResponse({ stream });
}
