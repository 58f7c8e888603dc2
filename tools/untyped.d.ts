declare module "dynalite" {
  import type { Server } from "node:http";
  /** Makes a server, which keeps its tables in memory. */
  export default function dynalite(options: { readonly createTableMs?: number }): Server;
}
