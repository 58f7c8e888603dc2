/** Runs seeds of the simulation, each `kind:seed` or `kind:seed:wakes`, and prints the first check that fails. */
import { run } from "../sim/run.ts";
import { planOfSeed } from "./seeds.ts";

for (const argument of process.argv.slice(2)) {
  const [kind = "", seed, wakes] = argument.split(":");
  const { violations } = await run(planOfSeed({ kind, seed: Number(seed), wakes: wakes === "wakes" }), {
    endsEarly: true,
  });
  const [first] = violations;
  if (!first) continue;
  console.log(`${kind} ${seed}\t${first.rule}: ${first.text}`);
  process.exit(0);
}
console.log("none");
process.exit(0);
