import { Redis } from "@upstash/redis";
import { report } from "../suite.ts";

declare const EdgeRuntime: string;
interface FetchEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

addEventListener("fetch", (event) => {
  const { request, respondWith } = event as FetchEvent;
  const { process, Buffer } = globalThis as { process?: unknown; Buffer?: unknown };
  const name = process || Buffer || "any" in AbortSignal ? "an edge runtime with more" : EdgeRuntime;
  const { searchParams } = new URL(request.url);
  const endpoint = { url: searchParams.get("url") ?? "", token: searchParams.get("token") ?? "" };
  respondWith.call(
    event,
    report(name, endpoint, Redis).then((made) => Response.json(made)),
  );
});
