import { expect, it } from "vitest";
import { objectOf } from "../src/route.ts";

const CROSSED = { error: "CROSSSLOT Keys in request don't hash to the same slot" };

it.each<[line: string, object: object]>([
  ["GET a", { name: "a" }],
  // What follows the key is a value, also where it looks like a name.
  ["SET a {b}", { name: "a" }],
  ["GET {a}%crowd", { name: "a" }],
  ["GET x{a}y{b}", { name: "a" }],
  ["GET {}a", { name: "{}a" }],
  ["GET {a", { name: "{a" }],
  ["GET }a{", { name: "}a{" }],
  ["DEL {a}1 {a}2", { name: "a" }],
  ["DEL a b", CROSSED],
  ["mget {a}1 {b}2", CROSSED],
  ["RENAME {a}1 {a}2", { name: "a" }],
  ["RENAME a b", CROSSED],
  // The third word is no key.
  ["SMOVE {a}1 {a}2 {b}", { name: "a" }],
  ["EVALSHA sha 2 {a} {a}%crowd {b}", { name: "a" }],
  ["EVAL text 2 a b", CROSSED],
  ["EVAL text 0 a", {}],
  ["PING", {}],
  ["MSET a 1", {}],
  ["DEL", {}],
  ["GET", {}],
])("%s belongs to the object of its keys", (line, object) => {
  expect(objectOf(line.split(" "))).toEqual(object);
});
