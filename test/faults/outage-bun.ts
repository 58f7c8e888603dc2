/** The waiters of an outage over Bun's own client: `bun run outage-bun.js URL NAME WAIT`. */
import { connect } from "../../src/index.ts";
import { bunRedis } from "../../src/tcp/bun.ts";
import { waitThrough } from "./outage-waiters.ts";

declare const Bun: {
  readonly argv: readonly string[];
  readonly RedisClient: new (url: string) => Parameters<typeof bunRedis>[0];
};

const [url = "", name = "", wait = ""] = Bun.argv.slice(2);
const turns = await waitThrough(connect({ redis: bunRedis(new Bun.RedisClient(url)) }), name, wait);
console.log(JSON.stringify(turns));
(globalThis as unknown as { process: { exit(): never } }).process.exit();
