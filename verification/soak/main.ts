/** `npm run soak`: a long, steady load on each server, whose memory and open files must stay flat. */
import { parseArgs } from "node:util";
import type { Measure } from "./measures.ts";
import { LEAKING, SOAKED } from "./servers.ts";
import { type Soaked, soak } from "./soak.ts";

const HELP = `npm run soak -- [options]
  --minutes 60       the duration
  --servers LIST     of ${Object.keys(SOAKED).join(", ")} (default all, at the same time), or leaking, which must fail
  --allowed-mib 4    the growth that counts as flat, besides a tenth of the memory; a soak of a minute needs more, since
                     V8 collects garbage late
  --allowed-files 8  the growth of open files that counts as flat; a soak of a minute needs more, since its means depend
                     on how many visits are under way
  --rate 6           visits per second to each server; a visit makes about five requests
  --log              print each measure`;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    servers: { type: "string", default: Object.keys(SOAKED).join() },
    "allowed-mib": { type: "string", default: "4" },
    "allowed-files": { type: "string", default: "8" },
    rate: { type: "string", default: "6" },
    log: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const MIB = 2 ** 20;
/** The growth of the memory that counts as flat. */
const ALLOWED_SHARE = 0.1;

const mib = (bytes: number): string => (bytes / MIB).toFixed(1);

function serversOf(names: readonly string[]): typeof SOAKED {
  const known: typeof SOAKED = { ...SOAKED, ...LEAKING };
  const unknown = names.find((name) => !known[name]);
  if (unknown !== undefined) throw new Error(`no server is called ${unknown}: ${Object.keys(known).join(", ")}`);
  return Object.fromEntries(Object.entries(known).filter(([name]) => names.includes(name)));
}

function print({ name, growth: { first, before, after, isFlat }, done, refused, faults }: Soaked): void {
  const memory = [first, before, after].map(({ memoryBytes }) => mib(memoryBytes)).join(" | ");
  const files = [first, before, after].map((usage) => usage.files.toFixed(0)).join(" | ");
  console.log(`| ${name} | ${memory} | ${files} | ${done} | ${refused} | ${isFlat ? "flat" : "**grows**"} |`);
  for (const fault of new Set(faults)) console.log(`FAULT of ${name}: ${fault}`);
  const isIdle = name !== "clients" && done === 0;
  if (isIdle) console.log(`FAULT of ${name}: no visit succeeded`);
  if (!isFlat || isIdle || faults.length > 0) process.exitCode = 1;
}

async function main(): Promise<void> {
  if (values.help) return console.log(HELP);
  const onMeasure = (name: string, { seconds, memoryBytes, files }: Measure): void =>
    console.log(`${seconds.toFixed(0)} s, ${name}: ${mib(memoryBytes)} MiB, ${files} files`);
  const soaked = await soak({
    servers: serversOf(values.servers.split(",")),
    seconds: 60 * Number(values.minutes),
    visitsPerSecond: Number(values.rate),
    allowance: {
      share: ALLOWED_SHARE,
      bytes: Number(values["allowed-mib"]) * MIB,
      files: Number(values["allowed-files"]),
    },
    ...(values.log && { onMeasure }),
  });
  console.log("Memory in MiB and open files: the first measure, then the means of the second and the last quarter.");
  console.log("| process | memory first | second | last | files first | second | last | visits | refused | verdict |");
  console.log("|---|--:|--:|--:|--:|--:|--:|--:|--:|---|");
  for (const each of soaked) print(each);
}

await main();
