import { describe, expect, it } from "vitest";
import { failed } from "../../src/redis/port.ts";

/** What `fetch` throws where it tried several addresses. */
const several = (...codes: readonly string[]): TypeError =>
  new TypeError("fetch failed", {
    cause: Object.assign(new Error(""), {
      code: codes[0],
      errors: codes.map((code) => Object.assign(new Error(`connect ${code}`), { code })),
    }),
  });

describe("what an error proves of a request to a host of several addresses", () => {
  it("nothing was sent where none of them could be connected to", () => {
    expect(failed(several("ECONNREFUSED", "ECONNREFUSED"))).toMatchObject({ type: "not sent", reason: "refused" });
  });

  it("the outcome is unknown where one of them broke off", () => {
    const broken = several("ECONNREFUSED", "EPIPE");
    const { errors } = broken.cause as { errors: Error[] };
    Object.assign(errors[1] as Error, { message: "write EPIPE" });
    expect(failed(broken)).toMatchObject({ type: "unknown" });
  });
});
