import "reflect-metadata";
import { All, Controller, Module, Next, Req, Res } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { ExpressAdapter, type NestExpressApplication } from "@nestjs/platform-express";
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify";
import type { Request as ExpressRequest, Response as ExpressResponse } from "express";
import { type FastifyRequestLike, toExpress, toFastify } from "../../../src/node/index.ts";
import type { Application } from "../application.ts";
import type { Outcome, SentBody, Shape } from "../shape.ts";
import { runningOn } from "./listen.ts";

/** A controller's method, by the arguments that Nest calls it with. */
type Method = (req: never, res: never, next: never) => Promise<unknown>;

/** A module with one controller for every path. Decorators are called, since some runtimes do not parse them. */
function moduleOf(handle: Method, path: string): new () => object {
  class HookController {
    handle(req: never, res: never, next: never): Promise<unknown> {
      return handle(req, res, next);
    }
  }
  class HookModule {}
  const { prototype } = HookController;
  const descriptor = Object.getOwnPropertyDescriptor(prototype, "handle") as PropertyDescriptor;
  [Req, Res, Next].forEach((decorator, at) => {
    decorator()(prototype, "handle", at);
  });
  Reflect.defineMetadata("design:paramtypes", [Object, Object, Object], prototype, "handle");
  All(path)(prototype, "handle", descriptor);
  Controller()(HookController);
  Module({ controllers: [HookController] })(HookModule);
  return HookModule;
}

const isJson = ({ type, bytes }: SentBody): boolean => type === "application/json" && bytes.length > 0;
const isForm = ({ type, bytes }: SentBody): boolean => type.includes("urlencoded") && bytes.length > 0;

async function inExpress(application: Application, rawBody: boolean) {
  const route = toExpress<ExpressRequest, ExpressResponse>(application);
  const method = (req: ExpressRequest, res: ExpressResponse): Promise<void> =>
    route(req, res, (error) => res.status(500).send(`${error}`));
  const options = { rawBody, logger: false } as const;
  const app = await NestFactory.create<NestExpressApplication>(
    moduleOf(method as Method, "*path"),
    new ExpressAdapter(),
    options,
  );
  app.set("trust proxy", true);
  await app.listen(0, "127.0.0.1");
  return { ...runningOn(app.getHttpServer()), close: () => app.close() };
}

interface Reply {
  send(payload: unknown): unknown;
  status(code: number): Reply;
}

async function inFastify(application: Application, rawBody: boolean) {
  const { handler } = toFastify<FastifyRequestLike, Reply>(application);
  const method = async (req: FastifyRequestLike, reply: Reply): Promise<void> => {
    try {
      reply.send(await handler(req, reply));
    } catch (error) {
      reply.status(500).send(`${error}`);
    }
  };
  const adapter = new FastifyAdapter({ trustProxy: true, bodyLimit: 5_000_000 });
  const options = { rawBody, logger: false } as const;
  const app = await NestFactory.create<NestFastifyApplication>(moduleOf(method as Method, "*"), adapter, options);
  await app.listen(0, "127.0.0.1");
  return { ...runningOn(app.getHttpServer()), close: () => app.close() };
}

const LOST = /its bytes are lost: pass the whole route to Fastify/;

/** Nest parses JSON and forms, and keeps the bytes of these alone. Fastify parses text, and refuses every other type. */
const fastifyOutcome =
  (parsed: Outcome) =>
  (body: SentBody, chunked: boolean): Outcome => {
    if (body.type === "" && !chunked) return "whole";
    if (body.type === "application/json") return isJson(body) && !body.decoded ? parsed : 400;
    if (body.type === "text/plain") return LOST;
    return isForm(body) ? parsed : 415;
  };

export const shapes: readonly Shape[] = [
  {
    name: "Nest on Express with rawBody",
    start: (application) => inExpress(application, true),
    outcomeOf: (body) => (body.decoded && isJson(body) ? "decoded" : "whole"),
  },
  {
    name: "Nest on Express without rawBody",
    start: (application) => inExpress(application, false),
    outcomeOf: (body) => (isJson(body) || isForm(body) ? /its bytes are lost: mount this route before/ : "whole"),
  },
  {
    name: "Nest on Fastify with rawBody",
    start: (application) => inFastify(application, true),
    outcomeOf: fastifyOutcome("whole"),
  },
  {
    name: "Nest on Fastify without rawBody",
    start: (application) => inFastify(application, false),
    outcomeOf: fastifyOutcome(LOST),
  },
];
