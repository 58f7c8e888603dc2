/**
 * Serves a handler from `Request` to `Response` in AWS Lambda.
 *
 * @module leasehold/lambda
 */

export type { LambdaEvent } from "./event.ts";
export { type LambdaResult, toLambda } from "./lambda.ts";
