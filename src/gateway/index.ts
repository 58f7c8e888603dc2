export { createGateway, type Gateway, type GatewayOptions } from "./gateway.ts";
export { type GatewayServer, type ServeOptions, serveGateway } from "./serve.ts";
