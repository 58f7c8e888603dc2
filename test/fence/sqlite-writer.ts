/**
 * One of several processes that write to one SQLite file: node sqlite-writer.ts FILE NAME ID. Begins when it is told
 * to, goes on until its input ends, and prints what it did.
 */
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { type Deed, deed } from "./deed.ts";
import { openSqlite, resourceOf } from "./sqlite-resource.ts";

const [file = "", name = "", id = ""] = process.argv.slice(2);
const resource = await resourceOf(openSqlite(file));
const deeds: Deed[] = [];
process.stdout.write("ready\n");
await once(process.stdin, "data");
let ended = false;
process.stdin.once("end", () => {
  ended = true;
});
for (let at = 0; !ended || at < 200; at++) {
  // Tokens rise with time, so that both processes are now behind and now ahead.
  const token = Math.floor(Date.now() / 3) + Math.floor(Math.random() * 3);
  const value = Math.random() < 0.3 ? undefined : `${token}:${id}-${at}`;
  deeds.push(await deed(resource, { name, token }, value));
  // Room for the end of the input to be seen.
  await setImmediate();
}
process.stdout.write(JSON.stringify(deeds));
