/**
 * Serves a handler from `Request` to `Response` in Express and Fastify.
 *
 * @module leasehold/node
 */

export { type ExpressRequest, toExpress } from "./express.ts";
export { type FastifyReplyLike, type FastifyRequestLike, type FastifyRoute, toFastify } from "./fastify.ts";
export type { NodeMessage } from "./request.ts";
