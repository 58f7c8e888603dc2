/**
 * One process of clients: acquires and releases its own names for a while, through each gateway in turn.
 *
 *   node load.ts TOKEN KIND SECONDS URL…     says its cycles over IPC
 */
import { connect } from "../../src/index.ts";
import { KINDS } from "./kinds.ts";

const [token = "", label = "", seconds = "", ...urls] = process.argv.slice(2);
const CONCURRENT = 64;
const WARM_UP_MS = 1_000;

const kind = KINDS.find((one) => one.label === label);
if (kind === undefined) throw new Error(`no kind ${label}`);
const connections = urls.map((url) => connect({ url, token }));

let cycles = 0;
const started = performance.now();
const end = started + WARM_UP_MS + Number(seconds) * 1_000;

async function client(id: number): Promise<void> {
  const redis = connections[id % connections.length];
  if (redis === undefined || kind === undefined) return;
  for (let round = 0; performance.now() < end; round++) {
    // A name is reused later, as in production; a key of `once` is always new.
    const release = await kind.take(redis, label === "once" ? `${process.pid}:${id}:${round}` : `${id}:${round % 100}`);
    await release();
    cycles++;
  }
}

const all = Promise.all(Array.from({ length: CONCURRENT }, (_, id) => client(id)));
setTimeout(() => process.send?.({ warm: cycles }), WARM_UP_MS);
await all;
process.send?.({ cycles });
process.disconnect();
