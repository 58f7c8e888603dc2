import type { Attributes } from "@opentelemetry/api";

/** The attributes that the conventions have for the server of a request: its address, and its port where it has one. */
export function serverOf(server: string): Attributes {
  const [, address = "", port] = /^(.*?)(?::(\d+))?$/.exec(server) ?? [];
  if (address === "") return {};
  return { "server.address": address, ...(port !== undefined && { "server.port": Number(port) }) };
}
