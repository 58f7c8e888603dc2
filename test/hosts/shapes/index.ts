/** The table of shapes that need nothing but Node's interfaces. Bun and Deno have them too. */
import type { Shape } from "../shape.ts";
import { shapes as express } from "./express.ts";
import { shapes as fastify } from "./fastify.ts";
import { shapes as hono } from "./hono.ts";
import { shapes as lambda } from "./lambda.ts";
import { shapes as nest } from "./nest.ts";

export const SHAPES: readonly Shape[] = [...express, ...fastify, ...hono, ...lambda, ...nest];
