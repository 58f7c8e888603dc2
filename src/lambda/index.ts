export { type LambdaEvent, type LambdaResult, toLambda } from "./lambda.ts";
