import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import * as present from "../../src/index.ts";
import { freshName, useStack } from "../../test/support/use-stack.ts";

/** Recorded by the last release; its types are those of the present one as far as this file goes. */
const CLIENT: string = "../../test/releases/client.gen.js";
const last = (await import(CLIENT)) as typeof present;

type Fetch = typeof globalThis.fetch;
/** How a request's command was answered: its verb, and the code of an error. */
type Seen = string[];

const LATER = "\n-- a later release";
const shaOf = (text: string): string => createHash("sha1").update(text).digest("hex");

const stack = useStack({ objects: true });

/** Notes what is asked, and whether the object knew the script. */
function noting(seen: Seen, send: Fetch = fetch): Fetch {
  return async (url, init) => {
    const response = await send(url, init);
    const [verb] = JSON.parse(String(init?.body)) as string[];
    const { error } = (await response.clone().json()) as { error?: string };
    seen.push(`${verb} ${error?.split(" ", 1)[0] ?? "answered"}`);
    return response;
  };
}

/** The way of a later release, whose scripts have other texts and so other names. */
function laterScripts(): Fetch {
  const texts = new Map<string, string>();
  return (url, init) => {
    const [verb, script = "", ...rest] = JSON.parse(String(init?.body)) as string[];
    const text = verb === "EVAL" ? script + LATER : script;
    if (verb === "EVAL") texts.set(shaOf(script), shaOf(text));
    // Until its text has been seen, no object can know the script.
    const sha = texts.get(script) ?? shaOf(`${script}${LATER}`);
    return fetch(url, { ...init, body: JSON.stringify([verb, verb === "EVALSHA" ? sha : text, ...rest]) });
  };
}

const over = (library: typeof present, send: Fetch): present.Locks =>
  library.createLocks({ url: stack.url, token: stack.token, fetch: send });

describe.each([
  ["the last release", (seen: Seen) => over(last, noting(seen))],
  ["a later release", (seen: Seen) => over(present, noting(seen, laterScripts()))],
])("a client of %s over objects of this one", (_, other) => {
  it("sends a script that the object does not know with its text, once", async () => {
    const seen: Seen = [];
    const lock = other(seen).lock(freshName());
    await stack.redis.command("SCRIPT", "FLUSH");
    for (let n = 0; n < 3; n++) await (await lock.acquire()).release();
    expect(seen).toEqual([
      ...["EVALSHA NOSCRIPT", "EVAL answered", "EVALSHA NOSCRIPT", "EVAL answered"],
      ...Array(4).fill("EVALSHA answered"),
    ]);
  });

  it("excludes a client of this release, and is excluded; tokens rise from one to the other (R1, R2)", async () => {
    const name = freshName();
    const [ours, theirs] = [over(present, fetch), other([])];
    let token = 0;
    for (const [first, second] of [
      [ours, theirs],
      [theirs, ours],
    ] as const) {
      const lease = await first.lock(name).acquire();
      expect(lease.token).toBeGreaterThan(token);
      expect(await second.lock(name).tryAcquire()).toBeNull();
      expect(await second.lock(name).inspect()).toMatchObject({ state: "held", token: lease.token });
      ({ token } = lease);
      expect(await lease.release()).toBe(true);
    }
  });

  it("a held request is granted what the other release has released", async () => {
    for (const [first, second] of [
      [over(present, fetch), other([])],
      [other([]), over(present, fetch)],
    ] as const) {
      const name = freshName();
      const lease = await first.lock(name).acquire();
      const waiting = second.lock(name).acquire({ wait: "20s" });
      await new Promise((resolve) => setTimeout(resolve, 200));
      await lease.release();
      expect((await waiting).token).toBeGreaterThan(lease.token);
    }
  });
});
