import { expect, it } from "vitest";
import { placeOf } from "../../src/engine/place.ts";
import { connect } from "../../src/index.ts";
import { connectionOf } from "../../src/redis/connect.ts";

it("a name has a hash tag of its own, and the names of a group share the group's", () => {
  const connection = connectionOf(connect({ url: "https://example.com", token: "token", prefix: "our:" }));
  expect(placeOf(connection, "lock", ["a"], undefined).keys).toEqual(["our:{a}"]);
  expect(placeOf(connection, "multi", ["a", "b"], "g").keys).toEqual(["our:{g}/a", "our:{g}/b"]);
});
