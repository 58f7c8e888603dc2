import { env } from "cloudflare:workers";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { afterAll, describe, expect, it } from "vitest";
import { createLocks } from "../../../src/index.ts";
import { otel } from "../../../src/otel/index.ts";
import { inSpan, startSdk } from "../../otel/scenario.ts";
import { freshName } from "../../support/names.ts";

const sdk = startSdk(new AsyncLocalStorageContextManager());
afterAll(() => sdk.stop());

describe("leasehold/otel in workerd", () => {
  it("makes spans of two operations at once in the contexts of their callers, and metrics", async () => {
    const { URL: url, TOKEN: token } = env as unknown as { readonly URL: string; readonly TOKEN: string };
    const locks = createLocks({ url, token, ...otel() });
    const name = freshName();
    await Promise.all(
      ["one", "two"].map((caller) =>
        inSpan(caller, () => locks.lock(name).run({ wait: "20s" }, () => scheduler.wait(20))),
      ),
    );
    const spans = sdk.spans();
    const childrenOf = (id: string | undefined) =>
      spans.filter(({ parentSpanContext }) => id !== undefined && parentSpanContext?.spanId === id);
    for (const caller of ["one", "two"]) {
      const children = childrenOf(spans.find((span) => span.name === caller)?.spanContext().spanId);
      expect(children.map((span) => span.name).sort()).toEqual(["acquire lock", "hold lock"]);
      const hold = children.find((span) => span.name === "hold lock");
      expect(childrenOf(hold?.spanContext().spanId).map((span) => span.name)).toEqual(["release lock"]);
    }
    const acquired = (await sdk.points()).filter((point) => point.name === "leasehold.acquire.duration");
    expect(acquired).toMatchObject([{ value: 2, attributes: { "leasehold.outcome": "granted" } }]);
  });
});
