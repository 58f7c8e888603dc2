/**
 * Checks that a reader can follow one acquire from the call of `tryAcquire` to `fetch`: it passes few files, each of
 * them once. A file counts if one of its functions runs before `fetch`; opening the connection and the lock counts as
 * well.
 *
 *   node tools/acquire-way.ts
 */
import { Session } from "node:inspector/promises";
import { lock } from "../src/kinds/lock.ts";
import { connect } from "../src/redis/connect.ts";

/** The maximum number of files outside `src/shared`. */
const MOST_FILES = 16;

/** The files of the SDK in which a function has run since the session began. */
async function filesSoFar(session: Session): Promise<readonly string[]> {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  return result
    .filter(({ functions }) =>
      // The function without a name is the module itself.
      functions.some(({ functionName, ranges }) => functionName !== "" && (ranges[0]?.count ?? 0) > 0),
    )
    .flatMap(({ url }) => /\/src\/(.*)\.ts$/.exec(url)?.[1] ?? [])
    .sort();
}

/** The files on the stack, outermost first; calls within a file count once. */
function filesOnStack(): readonly string[] {
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  const frames = [...(new Error().stack ?? "").matchAll(/\/src\/(.*)\.ts:/g)].map(([, file = ""]) => file).reverse();
  return frames.filter((file, n) => file !== frames[n - 1]);
}

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
await session.post("Profiler.takePreciseCoverage");

let passed: readonly string[] = [];
let stack: readonly string[] = [];
const fetch = async (): Promise<Response> => {
  stack = filesOnStack();
  passed = await filesSoFar(session);
  return Response.json({ result: ["granted", Date.now() * 1000, 1, 1e9, 1] });
};
await lock(connect({ url: "https://redis.example", token: "token", fetch }), "invoice:42").tryAcquire();
session.disconnect();

const files = passed.filter((file) => !file.startsWith("shared/"));
const climbs = stack.filter((file, n) => stack.indexOf(file) < n);
console.log(`an acquire passes ${files.length} files: ${files.join(", ")}`);
console.log(`and its stack is: ${stack.join(" → ")}`);
if (files.length > MOST_FILES) console.error(`it should pass ${MOST_FILES} at most`);
if (files.length === 0 || stack.length === 0) console.error("it has to pass some: is `fetch` still called?");
if (climbs.length > 0) console.error(`it should not return to ${climbs.join(", ")}`);
process.exit(files.length > MOST_FILES || files.length * stack.length === 0 || climbs.length > 0 ? 1 : 0);
