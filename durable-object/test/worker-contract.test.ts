import { afterAll, beforeAll } from "vitest";
import { contracts } from "../../test/contract/all.ts";
import { type ReadyWorker, startReadyWorker } from "./support/workerd.ts";

const token = "test-token-0123456789";
let worker: ReadyWorker;
beforeAll(async () => {
  worker = await startReadyWorker({ LEASEHOLD_TOKEN: token });
});
afterAll(() => worker?.stop());

contracts("the ready Worker", () => ({ url: worker.url, token }));
