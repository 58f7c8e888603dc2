export { createGateway, type Gateway } from "./gateway.ts";
export { type GatewayServer, serveGateway } from "./server.ts";
export type { Log } from "./shared/log.ts";
export type {
  DatabaseOptions,
  DatabasesOptions,
  GatewayOptions,
  HttpOptions,
  LimitOptions,
  NamedSha256,
  NamedToken,
  ServeOptions,
  ServerOptions,
  TlsOptions,
  TokenOptions,
} from "./shared/options.ts";
