import type { Attributes } from "@opentelemetry/api";

/** The conventions' attributes for the server of a request: its address, and its port if it has one. */
export function serverOf(server: string): Attributes {
  const [, address = "", port] = /^(.*?)(?::(\d+))?$/.exec(server) ?? [];
  if (address === "") return {};
  return { "server.address": address, ...(port !== undefined && { "server.port": Number(port) }) };
}
