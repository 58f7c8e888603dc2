export { createGateway, type Gateway } from "./serving/gateway.ts";
export { type GatewayServer, serveGateway } from "./serving/server.ts";
export type { Log } from "./shared/log.ts";
export type {
  DatabaseOptions,
  DatabasesOptions,
  GatewayOptions,
  HttpOptions,
  LimitOptions,
  NamedSha256,
  NamedToken,
  ReloadOptions,
  ServeOptions,
  ServerOptions,
  ServerTls,
  TlsOptions,
  TokenOptions,
} from "./shared/options.ts";
