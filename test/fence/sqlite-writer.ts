/** One of several processes that write to one SQLite file: node sqlite-writer.ts FILE NAME ID. Begins when it is told to, and prints what it did. */
import { once } from "node:events";
import { type Deed, deed } from "./deed.ts";
import { openSqlite, resourceOf } from "./sqlite-resource.ts";

const [file = "", name = "", id = ""] = process.argv.slice(2);
const resource = await resourceOf(openSqlite(file));
const deeds: Deed[] = [];
process.stdout.write("ready\n");
await once(process.stdin, "data");
process.stdin.pause();
for (let at = 0; at < 300; at++) {
  // Tokens rise with time, so that both processes are now behind and now ahead.
  const token = Math.floor(Date.now() / 3) + Math.floor(Math.random() * 3);
  const value = Math.random() < 0.3 ? undefined : `${token}:${id}-${at}`;
  deeds.push(await deed(resource, { name, token }, value));
}
process.stdout.write(JSON.stringify(deeds));
