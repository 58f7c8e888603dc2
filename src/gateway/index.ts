export type { TokenOptions } from "./auth.ts";
export type { DatabaseOptions, DatabasesOptions } from "./databases.ts";
export { createGateway, type Gateway, type GatewayOptions } from "./gateway.ts";
export type { LimitOptions } from "./limits.ts";
export type { Log } from "./log.ts";
export { type GatewayServer, type ServeOptions, serveGateway } from "./serve.ts";
