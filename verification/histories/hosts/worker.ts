import { createClient } from "../client.ts";
import type { Endpoint, Order } from "../orders.ts";

let answer: ReturnType<typeof createClient> | undefined;

/** The leases live in the isolate and are shared by all requests. */
export default {
  async fetch(request: Request, endpoint: Endpoint): Promise<Response> {
    answer ??= createClient({ url: endpoint.url, token: endpoint.token });
    return Response.json(await answer((await request.json()) as Order));
  },
};
