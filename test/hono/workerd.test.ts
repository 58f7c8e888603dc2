import { join } from "node:path";
import { build } from "esbuild";
import { Log, LogLevel, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshName, pause, useStack } from "../support/use-stack.ts";
import { answerOf } from "./apps.ts";

const stack = useStack();

async function startWorker(hono: string): Promise<Miniflare> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "worker.ts")],
    bundle: true,
    write: false,
    format: "esm",
    conditions: ["workerd", "worker"],
    alias: { hono },
  });
  const contents = outputFiles[0]?.text ?? "";
  const text = (value: string) => ({ type: "text", value }) as const;
  return new Miniflare({
    workers: [
      {
        config: {
          name: "dedupe",
          compatibilityDate: "2025-06-01",
          env: { URL: text(stack.url), TOKEN: text(stack.token) },
          manifest: {
            mainModule: "worker.js",
            modulesRoot: "/",
            modules: { "worker.js": { type: "esm", contents } },
          },
        },
      },
    ],
    cf: false,
    logRequests: false,
    log: new Log(LogLevel.NONE),
    handleStructuredLogs: () => {},
  });
}

describe.each(["hono", "hono-oldest"])("in workerd, %s", (hono) => {
  let worker: Miniflare;
  let url: string;
  beforeAll(async () => {
    worker = await startWorker(hono);
    url = (await worker.ready).origin;
  });
  afterAll(() => worker?.dispose());

  const post = (path: string, id: string, body: BodyInit = '{"a":1}', signal?: AbortSignal): Promise<Response> =>
    fetch(url + path, {
      method: "POST",
      body,
      headers: { "X-GitHub-Delivery": id, "Idempotency-Key": id },
      redirect: "manual",
      ...(signal && { signal }),
    });

  it("keeps a handler alive that runs longer than its lease; duplicates wait, then get its answer", async () => {
    const id = freshName();
    const first = post("/hooks/slow?ms=1200", id);
    await pause(800);
    const duplicate = await post("/hooks/slow?ms=1200", id);
    expect(answerOf(duplicate)).toBe("409 running");
    expect(Number(duplicate.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
    const done = await first;
    expect(answerOf(done)).toBe("200 processed");
    const said = await done.json();
    expect(said).toMatchObject({ run: 1, attempt: 1 });
    const again = await post("/hooks/slow?ms=1200", id);
    expect([answerOf(again), await again.json()]).toEqual(["200 duplicate", said]);
  });

  it("answers a sender that hung up when it comes again", async () => {
    const id = freshName();
    const hangUp = new AbortController();
    const gone = post("/hooks/slow?ms=700", id, "{}", hangUp.signal).catch(() => "gone");
    await pause(200);
    hangUp.abort();
    expect(await gone).toBe("gone");
    await pause(1000);
    const again = await post("/hooks/slow?ms=700", id, "{}");
    expect([answerOf(again), await again.json()]).toMatchObject(["200 duplicate", { run: 1 }]);
  });

  it("runs once for ten copies at once", async () => {
    const id = freshName();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post("/hooks/slow?ms=300", id)));
    expect(answers.map(answerOf).sort()).toEqual(["200 processed", ...Array(9).fill("409 running")]);
    expect(await (await fetch(`${url}/runs/${id}`)).text()).toBe("1");
  });

  it("forgets a handler that throws, and refuses what is not signed", async () => {
    const id = freshName();
    expect(answerOf(await post("/hooks/fail", id))).toBe("500 failed");
    expect(answerOf(await post("/hooks/fail", id))).toBe("200 processed");
    expect(answerOf(await post("/hooks/fail", id))).toBe("200 duplicate");
    expect(answerOf(await post("/hooks/fail", freshName(), "forged"))).toBe("401 unverified");
  });

  it("gives an answer without a body again", async () => {
    const id = freshName();
    for (const expected of ["204 processed", "204 duplicate"]) {
      expect(answerOf(await post("/hooks/empty", id))).toBe(expected);
    }
  });

  it("passes a stream through", async () => {
    const id = freshName();
    const first = await post("/hooks/stream", id);
    expect([answerOf(first), await first.text()]).toEqual(["200 processed", "one two three"]);
    const again = await post("/hooks/stream", id);
    expect([answerOf(again), again.headers.get("Leasehold-Replay")]).toEqual(["200 duplicate", "none (streamed)"]);
  });

  it.each(["socket", "passed-on"])("passes an upgrade to a WebSocket through, %s", async (path) => {
    const headers = { "X-GitHub-Delivery": freshName(), Upgrade: "websocket" };
    const upgraded = await worker.dispatchFetch(`${url}/hooks/${path}`, { headers });
    // As it was given, since not every platform can make such a response anew to mark it.
    expect([upgraded.status, upgraded.headers.get("Leasehold-Status")]).toEqual([101, null]);
    const { webSocket } = upgraded;
    const heard = new Promise((resolve) => webSocket?.addEventListener("message", ({ data }) => resolve(data)));
    webSocket?.accept();
    webSocket?.send("a word");
    expect(await heard).toBe("heard a word");
    webSocket?.close();
    const again = await fetch(`${url}/hooks/${path}`, {
      headers: { "X-GitHub-Delivery": headers["X-GitHub-Delivery"] },
    });
    expect([answerOf(again), again.headers.get("Leasehold-Replay")]).toEqual(["204 duplicate", "none (upgrade)"]);
  });

  it.each(["text", "json", "arrayBuffer", "blob", "raw", "clone"])("leaves the body to %s", async (how) => {
    const answer = await post(`/hooks/body/${how}`, freshName());
    expect([answerOf(answer), await answer.text()]).toEqual(["200 processed", '{"a":1}']);
  });

  it.each(["formData", "parseBody"])("leaves a form to %s", async (how) => {
    const form = new FormData();
    form.set("a", "1");
    const answer = await post(`/hooks/body/${how}`, freshName(), form);
    expect([answerOf(answer), await answer.text()]).toEqual(["200 processed", "1"]);
  });

  it("takes an Idempotency-Key, and remembers where a redirect goes", async () => {
    const id = freshName();
    for (const expected of ["303 processed", "303 duplicate"]) {
      const answer = await post("/pay", id);
      expect([answerOf(answer), answer.headers.get("Location")]).toEqual([expected, "/receipt"]);
    }
    expect(answerOf(await post("/pay", id, "other"))).toBe("422 mismatch");
  });
});
