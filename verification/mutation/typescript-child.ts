/** Runs seeds of the simulation, each `kind:seed`, and prints the first check that fails. */
import { planOf } from "../sim/plan.ts";
import { run } from "../sim/run.ts";
import { roundsOf } from "./seeds.ts";

for (const argument of process.argv.slice(2)) {
  const [kind = "", seed] = argument.split(":");
  const { violations } = await run(planOf(kind, Number(seed), roundsOf()), { endsEarly: true });
  const [first] = violations;
  if (!first) continue;
  console.log(`${kind} ${seed}\t${first.rule}: ${first.text}`);
  process.exit(0);
}
console.log("none");
process.exit(0);
