/** What the table has beside the shapes of Node, for each runtime. */
import type { Shape } from "../shape.ts";

/** A runtime's own server, without an adapter. Bun passes on a response of `fetch` whose headers are not true. */
export const OWN: readonly Omit<Shape, "start">[] = [
  { name: "its own server", origin: "own", leavesOut: ["passed"] },
  { name: "Hono", origin: "own", leavesOut: ["passed"] },
];

/** Shapes that a runtime cannot have, and the error of the library itself that says so. */
export const IMPOSSIBLE: Readonly<Record<"Bun" | "Deno", Readonly<Record<string, RegExp>>>> = {
  Bun: {
    "serverless-http": /socket\.once is not a function/,
    "@codegenie/serverless-express": /socket\.once is not a function/,
  },
  Deno: {},
};
