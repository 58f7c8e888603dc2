import { getRequestListener } from "@hono/node-server";
import { defineHandler, H3 } from "h3";
import { toNodeHandler } from "h3/node";
import type { Shape } from "../shape.ts";
import { honoApp } from "./hono-app.ts";
import { listen } from "./listen.ts";

export const shapes: readonly Shape[] = [
  {
    name: "Hono on @hono/node-server",
    origin: "own",
    leavesOut: ["passed"],
    start: (application) => listen(getRequestListener(honoApp(application).fetch, { overrideGlobalObjects: false })),
  },
  {
    name: "h3",
    origin: "own",
    leavesOut: ["passed"],
    start: (application) => {
      const app = new H3().all(
        "/**",
        defineHandler((event) => application(event.req)),
      );
      return listen(toNodeHandler(app) as never);
    },
  },
];
