/** The Worker of docs/agents.md, in workerd. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { blocksOf, ROOT, textOf } from "../../test/documents/markdown.ts";
import { freshName } from "../../test/support/names.ts";
import { type ReadyWorker, startWorker } from "./support/workerd.ts";

/** A question that reached the model, which answers when the test says so. */
interface Asked {
  readonly question: string;
  readonly token: number;
  /** Whether the Worker has given the request up. */
  isCut: boolean;
  answer(): void;
}

const asked: Asked[] = [];
const model = createServer(async (request, response: ServerResponse) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const question = Buffer.concat(chunks).toString();
  const one: Asked = {
    question,
    token: Number(request.headers["fencing-token"]),
    isCut: false,
    answer: () => response.end(`answer to ${question}`),
  };
  response.on("close", () => {
    one.isCut = !response.writableFinished;
  });
  asked.push(one);
});

let worker: ReadyWorker;
let folder: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => model.listen(0, "127.0.0.1", resolve));
  const cache = join(ROOT, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "agents-page-"));
  const example = blocksOf(textOf("docs/agents.md")).find(({ text }) => text.includes("LeaseholdObject"));
  writeFileSync(join(folder, "worker.ts"), example?.text ?? "");
  const { port } = model.address() as AddressInfo;
  worker = await startWorker(relative(ROOT, join(folder, "worker.ts")), { MODEL_URL: `http://127.0.0.1:${port}` });
});
afterAll(async () => {
  await worker?.stop();
  model.closeAllConnections();
  model.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const send = (conversation: string, message: string, init: RequestInit = {}): Promise<Response> =>
  fetch(worker.url, { method: "POST", body: JSON.stringify({ conversation, message }), ...init });
async function reached(question: string): Promise<Asked> {
  await expect.poll(() => asked.map((each) => each.question), { timeout: 15_000 }).toContain(question);
  return asked.find((each) => each.question === question) as Asked;
}

it("answers a message under a token", async () => {
  const [conversation, question] = [freshName(), freshName("question")];
  const response = send(conversation, question);
  const one = await reached(question);
  expect(one.token).toBeGreaterThan(1e15);
  one.answer();
  expect(await (await response).text()).toBe(`answer to ${question}`);
});

it("a newer message ends the older one's request to the model, which gets 409", async () => {
  const conversation = freshName();
  const [older, newer] = [freshName("older"), freshName("newer")];
  const first = send(conversation, older);
  const old = await reached(older);
  const second = send(conversation, newer);
  const young = await reached(newer);
  expect(young.token).toBeGreaterThan(old.token);
  expect((await first).status).toBe(409);
  await expect.poll(() => old.isCut).toBe(true);
  expect(young.isCut).toBe(false);
  young.answer();
  expect(await (await second).text()).toBe(`answer to ${newer}`);
});

it("conversations run side by side", async () => {
  const questions = [freshName("left"), freshName("right")];
  const responses = questions.map((question) => send(freshName(), question));
  for (const question of questions) (await reached(question)).answer();
  const texts = await Promise.all(responses.map(async (response) => (await response).text()));
  expect(texts).toEqual(questions.map((question) => `answer to ${question}`));
});
