import type { Backend } from "./backend.ts";

/** A backend with some of its methods in front of another one's. What it does not name stays the other one's, getters included. */
export function over<B extends Backend>(backend: B, methods: Partial<Pick<Backend, "send" | "transact" | "dial">>): B {
  return Object.assign(Object.create(backend) as B, methods);
}
