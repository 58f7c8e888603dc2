import { createMemoryState } from "@chat-adapter/state-memory";
import type { StateAdapter } from "chat";
import { afterAll } from "vitest";
import { durableObject } from "../../../durable-object/src/port.ts";
import { localNamespace } from "../../../durable-object/test/support/namespace.ts";
import { type ConnectOptions, createLocks } from "../../../src/index.ts";
import { useStack } from "../../../test/support/use-stack.ts";
import { chatState } from "../../src/chat/index.ts";
import { stateContract } from "./contract.ts";

const stack = useStack({ warm: true });
const objects = localNamespace();
objects.forgets = true;
afterAll(() => objects.close());

async function connected(state: StateAdapter): Promise<StateAdapter> {
  await state.connect();
  return state;
}
const over = (options: () => ConnectOptions) => ({
  make: () => connected(chatState(createLocks(options()))),
  isShared: true,
});

stateContract(
  "over HTTP",
  over(() => ({ url: stack.url, token: stack.token })),
);
stateContract(
  "over HTTP, with signed tickets",
  over(() => ({ url: stack.url, token: stack.token, ticketKey: "a secret of the bot" })),
);
stateContract(
  "over Durable Objects that leave memory after each call",
  over(() => ({ redis: durableObject(objects) })),
);
// The package's own state shows that the contract is that of `chat`.
stateContract("in memory, of chat itself", { make: () => connected(createMemoryState()), isShared: false });
