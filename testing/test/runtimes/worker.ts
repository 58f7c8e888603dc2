import { report } from "./suite.ts";

const worker: { fetch(request: Request): Promise<Response> } = {
  fetch: async ({ url }) => Response.json(await report(url.endsWith("whole"))),
};
export default worker;
