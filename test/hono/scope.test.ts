import { beforeAll, describe, expect, it } from "vitest";
import { type DedupeOptions, dedupe, dedupeKey, github, stripe } from "../../src/hono/index.ts";
import { type Connection, connect, createLocks } from "../../src/index.ts";
import { freshName, useStack } from "../support/use-stack.ts";
import { answerOf, honos, mount } from "./apps.ts";

const stack = useStack();
let connection: Connection;
beforeAll(async () => {
  connection = connect({ url: stack.url, token: stack.token });
});

const verify = () => true;

describe.concurrent.each(honos)("scope, hono %s", (_version, makeApp) => {
  /** Two endpoints of one app, and what delivers an event to one of them. */
  function endpoints(key: DedupeOptions["key"], options: Partial<DedupeOptions> = {}) {
    const runs: string[] = [];
    const inner = makeApp();
    for (const path of ["/ci", "/billing"]) {
      inner.post(path, dedupe({ locks: connection, key, ...options }), (c) => {
        runs.push(path);
        return c.text("ok");
      });
    }
    const app = makeApp().route("/hooks", inner);
    const deliver = async (id: string, path: string) => {
      const body = JSON.stringify({ id });
      return answerOf(await app.request(path, { method: "POST", body, headers: { "X-GitHub-Delivery": id } }));
    };
    return { runs, deliver };
  }

  it.each([
    ["GitHub", github({ verify })],
    ["Stripe", stripe({ verify })],
  ])("lets each endpoint have an event that %s delivers to several under one id", async (_who, key) => {
    const { runs, deliver } = endpoints(key);
    const id = freshName();
    expect(await deliver(id, "/hooks/ci")).toBe("200 processed");
    expect(await deliver(id, "/hooks/billing")).toBe("200 processed");
    expect(await deliver(id, "/hooks/ci")).toBe("200 duplicate");
    expect(await deliver(id, "/hooks/billing")).toBe("200 duplicate");
    expect(runs).toEqual(["/ci", "/billing"]);
    const name = key.name === "github" ? "github" : "stripe";
    const memory = createLocks({ url: stack.url, token: stack.token }).once(
      await dedupeKey({ sender: name, scope: "/hooks/ci", id }),
    );
    expect(await memory.inspect()).toMatchObject({ state: "done" });
  });

  it("D: one event to two endpoints that differ by their query runs once for each", async () => {
    const { runs, deliver } = endpoints(github({ verify }));
    const id = freshName();
    expect(await deliver(id, "/hooks/ci?tenant=a")).toBe("200 processed");
    expect(await deliver(id, "/hooks/ci?tenant=b")).toBe("200 processed");
    expect(await deliver(id, "/hooks/ci")).toBe("200 processed");
    expect(await deliver(id, "/hooks/ci?tenant=a")).toBe("200 duplicate");
    expect(await deliver(id, "/hooks/ci?")).toBe("200 duplicate");
    expect(runs).toEqual(["/ci", "/ci", "/ci"]);
    const locks = createLocks({ url: stack.url, token: stack.token });
    const key = await dedupeKey({ sender: "github", scope: "/hooks/ci?tenant=b", id });
    expect(await locks.once(key).inspect()).toMatchObject({ state: "done" });
  });

  it("D: with the path for its scope the query counts for nothing", async () => {
    const scope = ({ url }: Request) => new URL(url).pathname;
    const { runs, deliver } = endpoints(github({ verify }), { scope });
    const id = freshName();
    expect(await deliver(id, "/hooks/ci?signed=1")).toBe("200 processed");
    expect(await deliver(id, "/hooks/ci?signed=2")).toBe("200 duplicate");
    expect(runs).toEqual(["/ci"]);
  });

  it.each([
    ["text", "all"],
    ["a list", ["all"]],
    ["a function", () => "all"],
  ])("as %s replaces the path: then one of the endpoints gets the event", async (_what, scope) => {
    const { runs, deliver } = endpoints(github({ verify }), { scope });
    const id = freshName();
    expect(await deliver(id, "/hooks/ci")).toBe("200 processed");
    expect(await deliver(id, "/hooks/billing")).toBe("200 duplicate");
    expect(runs).toEqual(["/ci"]);
  });
});

describe.concurrent("scope", () => {
  it("keeps scopes apart, of which none may be empty", async () => {
    const scope = ({ headers }: Request) => (headers.get("X-Tenant") ?? "").split("|");
    const deliver = mount(connection, (c) => c.text("ok"), { scope });
    const id = freshName();
    const from = (tenant: string) => deliver({ id, headers: { "X-Tenant": tenant } }).then(answerOf);
    expect(await from("a:b|c")).toBe("200 processed");
    expect(await from("a|b:c")).toBe("200 processed");
    expect(await from("a:b|c")).toBe("200 duplicate");
    expect(await from("a|")).toBe("500 -");
  });
});
