import { openTheatre } from "/work/wt-j/histories/theatre.ts";
import { playRound } from "/work/wt-j/histories/run.ts";
import { WORKLOADS, OTHERS } from "/work/wt-j/histories/workloads.ts";
import { tell } from "/work/wt-j/histories/history.ts";
const [site = "single", secs = "5", rts = "node,node,node", which="ours", lanes="8", show="2"] = process.argv.slice(2);
const t = await openTheatre({ site: site as never, runtimes: rts.split(",") as never, faulty: Number(process.env["FAULTY"] ?? 0.03), calmMs: Number(process.env["CALM"] ?? 1500) });
const workloads = which === "ours" ? WORKLOADS : which === "others" ? OTHERS : { [which]: WORKLOADS[which]! };

const r = await playRound(t, { workloads, seconds: Number(secs), atOnce: Number(lanes), seed: Date.now() % 1e6 });
import { execSync } from "node:child_process";
if (process.env["PS"]) console.log(execSync("ps -o pid,pri,time,args -g $(ps -o sid= -p $$) | cut -c1-100; ps -e -o pid,cputimes,time,args | grep -E 'leasehold-hist|leasehold-redis|redis-server|proxy.ts' | grep -v grep | cut -c1-120").toString());
const { bad, errors, ...rest } = r;
console.log(rest, t.befallen, bad.length, "bad; errors", errors.length, [...new Set(errors)].slice(0, 10));
const kinds: Record<string, number> = {}; for (const b of bad) kinds[b.name.replace(/ \d+ \d+$/, "") + " " + b.verdict.verdict] = (kinds[b.name.replace(/ \d+ \d+$/, "")+ " " + b.verdict.verdict] ?? 0) + 1; console.log(kinds);
for (const b of bad.slice(0, Number(show))) { console.log(b.name, b.verdict.verdict, b.verdict.configurations); for (const o of [...b.history].sort((x,y)=>x.call-y.call)) console.log(b.verdict.longest.includes(o) ? "  ok " : b.verdict.stuck.includes(o) ? "  ?? " : "     ", tell(o)); }
await t.stop();
process.exit();
