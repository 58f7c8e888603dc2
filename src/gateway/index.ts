export { createGateway, type Gateway } from "./gateway.ts";
export type { Log } from "./log.ts";
export type {
  DatabaseOptions,
  DatabasesOptions,
  GatewayOptions,
  HttpOptions,
  LimitOptions,
  ServeOptions,
  ServerOptions,
  TlsOptions,
  TokenOptions,
} from "./options.ts";
export { type GatewayServer, serveGateway } from "./serve.ts";
