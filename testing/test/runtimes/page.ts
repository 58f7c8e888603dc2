import { report } from "./suite.ts";

/** The page tells the server that it came from. */
const results = await report(location.search === "?whole").catch((error: unknown) => [
  { name: "the page", state: "fail", error: String(error) },
]);
await fetch("/results", { method: "POST", body: JSON.stringify(results) });
