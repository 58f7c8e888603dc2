import { Redis } from "@upstash/redis/cloudflare";
import { type Endpoint, report } from "../suite.ts";

const worker: { fetch(request: Request, env: Endpoint): Promise<Response> } = {
  async fetch(_request, env) {
    const { process } = globalThis as { process?: unknown };
    const name = `${navigator.userAgent}, ${process ? "with" : "without"} process`;
    return Response.json(await report(name, env, Redis));
  },
};
export default worker;
