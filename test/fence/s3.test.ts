import { AwsClient } from "aws4fetch";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ObjectFence, type SigningFetch, s3Fence } from "../../src/fence/index.ts";
import { freshName } from "../support/names.ts";
import { attacks } from "./attacks.ts";
import { KEYS } from "./s3-endpoint.ts";
import { startWorkerd, type Workerd } from "./workerd.ts";

// There is no S3 server to be had here that knows conditional writes: R2's own conditions, as its emulation has them,
// behind S3's HTTP.
let workerd: Workerd;
let url: string;
beforeAll(async () => {
  workerd = await startWorkerd();
  url = new URL("/s3/bucket", await workerd.miniflare.ready).href;
});
afterAll(() => workerd?.stop());

const client = new AwsClient({ ...KEYS, retries: 0 });
/** Behind the signature: the local server would compress what it answers on the way, as S3 does not. */
const sign: SigningFetch = async (target, init) => {
  const request = await client.sign(target, init);
  request.headers.set("accept-encoding", "identity");
  return fetch(request);
};
const fenceBy = (fetch: SigningFetch = sign): ObjectFence => s3Fence({ fetch, url });

/** Does something else to the PUTs: to the first the first, and so on. */
function faulty(...faults: ((send: () => Promise<Response>) => Promise<Response>)[]): SigningFetch {
  return (target, init) => {
    const fault = init.method === "PUT" ? faults.shift() : undefined;
    const send = (): Promise<Response> => sign(target, init);
    return fault ? fault(send) : send();
  };
}
const lost = async (send: () => Promise<Response>): Promise<Response> => {
  await send();
  throw new TypeError("fetch failed");
};
const status = (code: number) => async () => new Response("", { status: code });

const bodyOf = async (fence: ObjectFence, key: string): Promise<[token?: number, body?: string]> => {
  const found = await fence.get(key);
  return found ? [found.token, new TextDecoder().decode(found.body ?? new Uint8Array())] : [];
};

attacks(
  "s3Fence",
  async () => {
    const key = freshName("a folder/ü+&=(1)");
    const fence = fenceBy();
    return {
      claim: (lease) => fence.claim(lease, key),
      write: (lease, value) => fence.put(lease, key, value),
      values: async () =>
        [(await bodyOf(fence, key))[1]].filter((value) => value !== undefined && value !== "") as string[],
    };
  },
  { deeds: 100, single: true },
);

describe.concurrent("s3Fence", () => {
  it("refuses a stale write that read the object before a claim that left its content as it was", async () => {
    const key = freshName();
    await fenceBy().put({ name: "n", token: 1 }, key, "same");
    const slow = faulty(async (send) => {
      await fenceBy().claim({ name: "n", token: 2 }, key);
      return send();
    });
    await expect(fenceBy(slow).put({ name: "n", token: 1 }, key, "stale")).rejects.toMatchObject({ seen: 2 });
    expect(await bodyOf(fenceBy(), key)).toEqual([2, "same"]);
  });

  it("refuses a stale first write of an object that was claimed meanwhile", async () => {
    const key = freshName();
    const slow = faulty(async (send) => {
      await fenceBy().claim({ name: "n", token: 2 }, key);
      return send();
    });
    await expect(fenceBy(slow).put({ name: "n", token: 1 }, key, "stale")).rejects.toMatchObject({ seen: 2 });
    expect((await fenceBy().get(key))?.body).toBeNull();
  });

  it("a claim does not undo a write that came between", async () => {
    const key = freshName();
    await fenceBy().put({ name: "n", token: 1 }, key, "first");
    const slow = faulty(async (send) => {
      await fenceBy().put({ name: "n", token: 1 }, key, "second");
      return send();
    });
    await fenceBy(slow).claim({ name: "n", token: 2 }, key);
    expect(await bodyOf(fenceBy(), key)).toEqual([2, "second"]);
  });

  it("reads only the fence's part of the object for a put, and writes nothing for an equal claim", async () => {
    const key = freshName();
    await fenceBy().put({ name: "n", token: 1 }, key, "x".repeat(5000));
    const sent: unknown[] = [];
    const fence = fenceBy((target, init) => {
      sent.push([init.method, init.headers["range"]]);
      return sign(target, init);
    });
    await fence.put({ name: "n", token: 1 }, key, "short");
    expect(sent.splice(0)).toEqual([
      ["GET", expect.stringMatching(/^bytes=0-\d\d$/)],
      ["PUT", undefined],
    ]);
    await fence.claim({ name: "n", token: 2 }, key);
    expect(sent.splice(0)).toEqual([
      ["GET", undefined],
      ["PUT", undefined],
    ]);
    await fence.claim({ name: "n", token: 2 }, key);
    expect(sent).toEqual([["GET", undefined]]);
    expect(await bodyOf(fenceBy(), key)).toEqual([2, "short"]);
  });

  it("finds its own write when the answer was lost, and retries one that did not arrive", async () => {
    const lease = { name: "n", token: 1 };
    for (const fault of [lost, status(503), async () => Promise.reject(new TypeError("fetch failed"))]) {
      const key = freshName();
      await fenceBy(faulty(fault, fault)).put(lease, key, "value");
      expect(await bodyOf(fenceBy(), key)).toEqual([1, "value"]);
    }
  });

  it("does not say stale, which is not written, of a write that may have been there before a newer claim", async () => {
    const key = freshName();
    const overtaken = faulty(async (send) => {
      await send();
      await fenceBy().claim({ name: "n", token: 2 }, key);
      throw new TypeError("fetch failed");
    });
    const put = fenceBy(overtaken).put({ name: "n", token: 1 }, key, "mine");
    await expect(put).rejects.toMatchObject({ code: "outcome_unknown" });
    expect(await bodyOf(fenceBy(), key)).toEqual([2, "mine"]);
    // A claim leaves nothing behind of which that would not be true.
    const lost = faulty(async () => {
      await fenceBy().claim({ name: "n", token: 4 }, key);
      return new Response("", { status: 503 });
    });
    await expect(fenceBy(lost).claim({ name: "n", token: 3 }, key)).rejects.toMatchObject({ code: "stale_token" });
  });

  it("sends nothing for a key that a URL cannot hold", async () => {
    const sent: string[] = [];
    const fence = fenceBy((target, init) => {
      sent.push(target);
      return sign(target, init);
    });
    const lease = { name: "n", token: 1 };
    for (const key of ["..", "../other-bucket/secret", "a/../b", "a/./b", "./a", "a/.."]) {
      await expect(fence.put(lease, key, "x"), key).rejects.toThrow(TypeError);
      await expect(fence.claim(lease, key), key).rejects.toThrow(TypeError);
      await expect(fence.get(key), key).rejects.toThrow(TypeError);
    }
    expect(sent).toEqual([]);
    const key = `.hidden/a..b/...${freshName()}.`;
    await fence.put(lease, key, "x");
    expect(await bodyOf(fenceBy(), key)).toEqual([1, "x"]);
  });

  it("a copy that arrives late changes nothing", async () => {
    const key = freshName();
    const lease = { name: "n", token: 1 };
    let late: (() => Promise<Response>) | undefined;
    await fenceBy(
      faulty(async (send) => {
        late = send;
        return new Response("", { status: 503 });
      }),
    ).put(lease, key, "first");
    await fenceBy().put(lease, key, "second");
    expect((await late?.())?.status).toBe(412);
    expect(await bodyOf(fenceBy(), key)).toEqual([1, "second"]);
  });

  it("does not write over the next write of the same holder when nobody knows whether its own came before", async () => {
    const key = freshName();
    const lease = { name: "n", token: 1 };
    const put = fenceBy(
      faulty(async (send) => {
        await send();
        await fenceBy().put(lease, key, "second");
        throw new TypeError("fetch failed");
      }),
    ).put(lease, key, "first");
    await expect(put).rejects.toMatchObject({ code: "outcome_unknown" });
    expect(await bodyOf(fenceBy(), key)).toEqual([1, "second"]);
  });

  it("ends: when the store refuses, is gone, or does not answer", async () => {
    const lease = { name: "n", token: 1 };
    const wrong = new AwsClient({ ...KEYS, secretAccessKey: "wrong", retries: 0 });
    const refused = s3Fence({ url, fetch: (target, init) => wrong.fetch(target, init) });
    await expect(refused.put(lease, freshName(), "x")).rejects.toThrow("the store answered 403 to a GET");
    const denied = fenceBy(faulty(status(403))).put(lease, freshName(), "x");
    await expect(denied).rejects.toThrow("the store answered 403 to a PUT");
    const down = fenceBy(faulty(...Array.from({ length: 9 }, () => status(500)))).put(lease, freshName(), "x");
    await expect(down).rejects.toMatchObject({ code: "outcome_unknown" });
    const deaf: SigningFetch = () => new Promise(() => {});
    await expect(s3Fence({ url, fetch: deaf, requestTimeout: "20ms" }).get("k")).rejects.toThrow(/in time/);
    const stalled: SigningFetch = async () => new Response(new ReadableStream({}));
    await expect(s3Fence({ url, fetch: stalled, requestTimeout: "20ms" }).get("k")).rejects.toThrow(/in time/);
    const hanging: SigningFetch = (_, { method, signal }) =>
      method === "PUT"
        ? new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))))
        : Promise.resolve(new Response("", { status: 404 }));
    const silent = s3Fence({ url, fetch: hanging, requestTimeout: "20ms" }).put(lease, freshName(), "x");
    await expect(silent).rejects.toMatchObject({ code: "outcome_unknown" });
  });

  it("takes over an object that was there before, an empty one too", async () => {
    for (const value of ["", "short", "x".repeat(1000)]) {
      const key = freshName();
      await workerd.ask("r2", key, "raw", { value });
      await fenceBy().claim({ name: "n", token: 2 }, key);
      expect(await bodyOf(fenceBy(), key)).toEqual([2, value]);
      await workerd.ask("r2", key, "raw", { value });
      await fenceBy().put({ name: "n", token: 1 }, key, "new");
      expect(await bodyOf(fenceBy(), key)).toEqual([1, "new"]);
    }
  });

  it("claims no object that fetch gives otherwise than it is stored", async () => {
    const key = freshName();
    await workerd.ask("r2", key, "raw", { value: "x".repeat(5000) });
    const encoded: SigningFetch = async (target, init) => {
      const response = await sign(target, init);
      const headers = { etag: response.headers.get("etag") ?? "", "content-encoding": "gzip" };
      return new Response(await response.arrayBuffer(), { status: response.status, headers });
    };
    await expect(fenceBy(encoded).claim({ name: "n", token: 1 }, key)).rejects.toThrow(/content-encoding/);
    await fenceBy(encoded).put({ name: "n", token: 1 }, key, "new");
    await fenceBy(encoded).claim({ name: "n", token: 2 }, key);
    expect(await bodyOf(fenceBy(), key)).toEqual([2, "new"]);
  });

  it("takes bytes, and not the caller's later changes to them", async () => {
    const content = [0, 255, 10, 128];
    const bytes = new Uint8Array(content);
    // The slice of a Buffer is no copy.
    for (const body of [new Uint8Array(content), Buffer.from(content), bytes.buffer]) {
      const key = freshName();
      const put = fenceBy().put({ name: "n", token: 1 }, key, body);
      new Uint8Array(
        body instanceof ArrayBuffer ? body : body.buffer,
        body instanceof ArrayBuffer ? 0 : body.byteOffset,
        4,
      ).fill(7);
      await put;
      expect((await fenceBy().get(key))?.body).toEqual(new Uint8Array(content));
    }
    const key = freshName();
    await expect(fenceBy().put({ name: "n", token: 1 }, key, 5 as never)).rejects.toThrow(TypeError);
    await expect(fenceBy().put({ name: "n", token: 1 }, "", "x")).rejects.toThrow(TypeError);
    expect(() => s3Fence({ url: "https://a:b@host/bucket", fetch: sign })).toThrow(TypeError);
    expect(() => s3Fence({ url, fetch: sign, requestTimeout: "soon" as never })).toThrow(TypeError);
  });
});

it("s3Fence leaves no timer after an answer", async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const fence = s3Fence({ url, fetch: async () => new Response("", { status: 404 }), requestTimeout: "1h" });
  await fence.get("k");
  const before = timers();
  for (let count = 0; count < 20; count++) await fence.get("k");
  expect(timers()).toBeLessThan(before + 20);
});

it("s3Fence gives up an object that changes at each of 20 attempts", async () => {
  let puts = 0;
  const contended: SigningFetch = async (target, init) => {
    if (init.method !== "PUT") return sign(target, init);
    puts++;
    return new Response("", { status: puts > 20 ? 403 : 412 });
  };
  // Without it, the delays take seconds.
  const random = vi.spyOn(Math, "random").mockReturnValue(0);
  try {
    const put = s3Fence({ fetch: contended, url }).put({ name: "n", token: 1 }, "contended", "x");
    await expect(put).rejects.toThrow('"contended" was not written: it changed 20 times in between');
  } finally {
    random.mockRestore();
  }
});
