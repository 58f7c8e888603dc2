import type { TestProject } from "vitest/node";
import { startStack } from "../../support/stack.ts";
import type {} from "./provided.ts";

/** Redis and the gateway run outside; workerd reaches them as it would any endpoint. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, token, stop } = await startStack();
  project.provide("url", url);
  project.provide("token", token);
  return stop;
}
