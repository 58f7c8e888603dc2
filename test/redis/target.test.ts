import { expect, it } from "vitest";
import { connect, group } from "../../src/index.ts";
import { connectionOf } from "../../src/redis/connect.ts";
import { targetOf } from "../../src/redis/target.ts";

it("a name has a hash tag of its own, and the names of a group share the group's", () => {
  const connection = connectionOf(connect({ url: "https://example.com", token: "token", prefix: "our:" }));
  expect(targetOf(connection, "lock", ["a"]).keys).toEqual(["our:{a}"]);
  expect(targetOf(group(connection, "g"), "multi", ["a", "b"]).keys).toEqual(["our:{g}/a", "our:{g}/b"]);
});
