/**
 * A chat with an agent: one turn at a time for each conversation, and the newest message wins. A message takes the
 * conversation from the turn that is under way, whose `signal` then aborts its request to the model; what that turn
 * still writes is refused by the fence, and tools check the token. Each turn answers all messages that have come.
 */
import { createLocks, type Duration, fromEnv, type LeaseLostError } from "leasehold";
import { d1Fence, StaleTokenError } from "leasehold/fence";
import { type AgentTurn, turn } from "leasehold-agents";

export interface Env {
  readonly DB: D1Database;
  readonly UPSTASH_REDIS_REST_URL: string;
  readonly UPSTASH_REDIS_REST_TOKEN: string;
  /** Answers a conversation with the agent's `{ "text" }`, or with a `{ "tool" }` to call first. */
  readonly MODEL_URL: string;
  /** Calls a tool, unless it has seen a higher `Fencing-Token` of the conversation. */
  readonly TOOLS_URL: string;
  /** A turn that died keeps no newer one out, since that takes the conversation from it. */
  readonly LEASE: Duration;
}
interface Message {
  readonly seq?: number;
  readonly role: string;
  readonly content: string;
}
const INSERT = "INSERT INTO messages (conversation, id, role, content)";
// A message that came after a run had read them is answered by the run that it begins, and by no earlier one.
const UNLESS_NEWER = "WHERE NOT EXISTS (SELECT 1 FROM messages WHERE conversation = ? AND role = 'user' AND seq > ?)";

async function ask<T>(url: string, body: object, { token, signal }: AgentTurn): Promise<T> {
  const headers = { "Content-Type": "application/json", "Fencing-Token": `${token}` };
  // An SDK takes the signal too, as `signal` or `abortSignal`.
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body), signal });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return answer.json();
}

async function run(
  { DB, MODEL_URL, TOOLS_URL }: Env,
  conversation: string,
  mine: AgentTurn,
): Promise<string | undefined> {
  const { lease } = mine;
  const fence = d1Fence(DB);
  // Claim first, before reading: from here on no earlier run adds to what is read.
  await fence.claim(lease);
  const read = DB.prepare("SELECT seq, role, content FROM messages WHERE conversation = ? ORDER BY seq");
  const { results: messages } = await read.bind(conversation).all<Message>();
  const last = messages.at(-1);
  // A duplicate of a message that has its answer.
  if (last?.role === "agent") return last.content;
  const say = async (role: string, content: string): Promise<boolean> => {
    const params = [conversation, crypto.randomUUID(), role, content, conversation, last?.seq ?? 0];
    messages.push({ role, content });
    return (await fence.write(lease, `${INSERT} SELECT ?, ?, ?, ? ${UNLESS_NEWER}`, params)) > 0;
  };
  for (let step = 0; step < 8; step++) {
    const { text = "", tool } = await ask<{ text?: string; tool?: object }>(MODEL_URL, { messages }, mine);
    if (tool === undefined) return (await say("agent", text)) ? text : undefined;
    // Written first, so that an overtaken run calls no tool.
    if (!(await say("call", JSON.stringify(tool)))) return undefined;
    if (!(await say("result", JSON.stringify(await ask(TOOLS_URL, { conversation, tool }, mine))))) return undefined;
  }
  throw new Error("no answer after 8 steps");
}

export default {
  async fetch(request, env) {
    const [, conversation] = /^\/conversations\/(\w+)$/.exec(new URL(request.url).pathname) ?? [];
    if (conversation === undefined || request.method !== "POST") return new Response("not found\n", { status: 404 });
    const { id, text } = await request.json<{ id: string; text: string }>();
    // The user's message is kept whichever run answers it, and once however often it is sent.
    const insert = `${INSERT} VALUES (?, ?, 'user', ?) ON CONFLICT DO NOTHING`;
    await env.DB.prepare(insert).bind(conversation, id, text).run();
    const options = { onBusy: "supersede", lease: env.LEASE, maxHold: "10m" } as const;
    const work = (mine: AgentTurn) => run(env, conversation, mine);
    const answer = await turn(createLocks(fromEnv(env)), `conversation:${conversation}`, options, work).catch(
      (error) => {
        if (!(error instanceof StaleTokenError) && (error as LeaseLostError).reason !== "forced") throw error;
      },
    );
    if (answer === undefined) return new Response("a newer message is being answered\n", { status: 409 });
    return Response.json({ answer });
  },
} satisfies ExportedHandler<Env>;
