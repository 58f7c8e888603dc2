/** `npm run sim:day`: a day of virtual time for each kind, whose heap must stay flat. */
import { parseArgs } from "node:util";
import { type Day, liveThrough, MAX_BYTES_AN_HOUR } from "./day.ts";
import { WORKLOADS } from "./workloads/index.ts";

const HELP = `npm run sim:day -- [options]
  --kinds LIST     of ${Object.keys(WORKLOADS).join(", ")} (default all)
  --hours 24       the duration in virtual time
  --names N        names without contention; by default every name is new, and the heap grows for the first hours
  --seed 1         the seed`;

const { values } = parseArgs({
  options: {
    kinds: { type: "string", default: Object.keys(WORKLOADS).join() },
    hours: { type: "string", default: "24" },
    names: { type: "string" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});

const MIB = 2 ** 20;
const KIB = 1024;

function print({ kind, calls, looks, bytesAnHour, isFlat, violations }: Day): void {
  const [first, last] = [looks.at(0), looks.at(-1)].map((look) => ((look?.heapBytes ?? 0) / MIB).toFixed(1));
  const growth = (bytesAnHour / KIB).toFixed(1);
  console.log(`| ${kind} | ${calls} | ${first} | ${last} | ${growth} | ${isFlat ? "flat" : "**grows**"} |`);
  for (const { rule, text } of violations.slice(0, 5)) console.log(`FAULT: ${rule}: ${text}`);
  if (!isFlat || violations.length > 0) process.exitCode = 1;
}

async function main(): Promise<void> {
  if (values.help) return console.log(HELP);
  const hours = Number(values.hours);
  console.log(`Heap in MiB, and its growth in KiB an hour, of which ${MAX_BYTES_AN_HOUR / KIB} still count as flat.`);
  console.log("| kind | calls | heap after the first hour | at the end | growth | verdict |");
  console.log("|---|--:|--:|--:|--:|---|");
  const options = { seed: Number(values.seed), ...(values.names && { names: Number(values.names) }) };
  for (const kind of values.kinds.split(",")) print(await liveThrough(kind, hours, options));
}

await main();
