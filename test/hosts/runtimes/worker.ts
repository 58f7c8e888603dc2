/** The shapes of Workers, each under a path of its own. */

import { createServer } from "node:http";
import express from "express";
import { toExpress } from "../../../src/node/index.ts";
import { type Application, application } from "../application.ts";
import { honoApp } from "../shapes/hono-app.ts";

/** A module of workerd, whose types would replace those of Node. */
const { httpServerHandler } = (await import("cloudflare:node" as string)) as {
  httpServerHandler(options: { readonly port: number }): {
    fetch(request: Request, env: Env, ctx: unknown): Promise<Response>;
  };
};

interface Env {
  readonly URL: string;
  readonly TOKEN: string;
  readonly SHAPE: string;
}

/** Made with the first request, which brings the environment. */
let made: Application | undefined;
const app: Application = async (request) => (await made?.(request)) ?? new Response("not made", { status: 500 });

const PORT = 8080;
const server = express()
  .set("trust proxy", true)
  .use(toExpress(app) as express.RequestHandler);
createServer(server).listen(PORT);
const inExpress = httpServerHandler({ port: PORT });

export default {
  async fetch(request: Request, env: Env, ctx: unknown): Promise<Response> {
    made ??= application({ url: env.URL, token: env.TOKEN });
    try {
      if (env.SHAPE === "Express 5") return await inExpress.fetch(request, env, ctx);
      if (env.SHAPE === "Hono") return await honoApp(made).fetch(request);
      return await made(request);
    } catch (error) {
      return new Response(`${error}`, { status: 500 });
    }
  },
};
