import { Hono } from "hono";
import type { Application } from "../application.ts";

/** An application of Hono. */
export function honoApp(application: Application): Hono {
  const app = new Hono();
  app.onError((error, c) => c.text(`${error}`, 500));
  app.all("*", (c) => application(c.req.raw));
  return app;
}
