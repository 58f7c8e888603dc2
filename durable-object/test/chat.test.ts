import { afterAll, beforeAll } from "vitest";
import { chatState } from "../../agents/src/chat/index.ts";
import { stateContract } from "../../agents/test/chat/contract.ts";
import { createLocks } from "../../src/index.ts";
import { type ReadyWorker, startReadyWorker } from "./support/workerd.ts";

const token = "test-token-0123456789";
let worker: ReadyWorker;
beforeAll(async () => {
  worker = await startReadyWorker({ LEASEHOLD_TOKEN: token });
});
afterAll(() => worker?.stop());

stateContract("in the ready Worker", {
  async make() {
    const state = chatState(createLocks({ url: worker.url, token }));
    await state.connect();
    return state;
  },
  isShared: true,
});
