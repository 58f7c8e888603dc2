/** Calls the routes as Vercel does: a request each, and a context that takes what is to be done after the response. */
import * as nightly from "./nightly.js";
import * as report from "./report.js";

const background = [];
globalThis[Symbol.for("@vercel/request-context")] = {
  get: () => ({ waitUntil: (promise) => background.push(promise) }),
};

const call = async (route, query, headers = {}) => {
  const response = await route.GET(new Request(`https://project.vercel.app/?${query}`, { headers }));
  const text = await response.text();
  return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
};

/** The answers of the routes, one after the other or, where it says so, at once. */
export async function drive(secret) {
  const taken = background.length;
  const first = await call(report, "name=vercel&ms=50");
  const afterResponse = background.length - taken;
  await Promise.all(background);
  const atOnce = await Promise.all([call(report, "name=vercel&ms=1500"), call(report, "name=vercel&ms=1500")]);
  const authorized = { authorization: `Bearer ${secret}` };
  const cron = [await call(nightly, ""), await call(nightly, "", authorized), await call(nightly, "", authorized)];
  await Promise.all(background);
  return { first, afterResponse, atOnce, cron, slots: globalThis.slots?.length ?? 0 };
}
