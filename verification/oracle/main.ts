/** `npm run oracle -- FILE`: judges the histories of a file that `npm run histories -- --export FILE` wrote. */
import { parseArgs } from "node:util";
import { rule } from "./judge.ts";
import { readLines } from "./lines.ts";
import { show } from "./show.ts";

const { positionals } = parseArgs({ allowPositionals: true });

interface Counts {
  operations: number;
  names: number;
  explained: number;
  unexplained: number;
  undecided: number;
}

async function main(): Promise<void> {
  if (positionals.length === 0) {
    console.error("npm run oracle -- FILE…, with files that `npm run histories -- --export FILE` wrote");
    process.exitCode = 2;
  }
  const bySite = new Map<string, Counts>();
  for (const file of positionals)
    for await (const { name, workload, site, history } of readLines(file)) {
      const counts = bySite.get(site.name) ?? { operations: 0, names: 0, explained: 0, unexplained: 0, undecided: 0 };
      bySite.set(site.name, counts);
      const ruling = rule(workload, history, site);
      counts.operations += history.length;
      counts.names++;
      counts[ruling.verdict]++;
      if (ruling.verdict === "explained") continue;
      for (const line of show(name, history, ruling)) console.log(line);
      process.exitCode = 1;
    }
  for (const [site, { operations, names, explained, unexplained, undecided }] of bySite)
    console.log(
      `${site}: ${operations} operations, ${names} names; ` +
        `${explained} explained, ${unexplained} unexplained, ${undecided} undecided`,
    );
}

await main();
