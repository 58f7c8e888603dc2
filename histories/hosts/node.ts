import { createClient } from "../client.ts";
import { createOthers } from "../others.ts";
import { createReader, toLine } from "./lines.ts";

const [url = "", token = ""] = process.argv.slice(2);
const answer = createClient({ url, token }, createOthers({ url, token }));
const read = createReader(async (order) => void process.stdout.write(toLine(await answer(order))));
process.stdin.setEncoding("utf8").on("data", read);
process.stdin.on("end", () => process.exit());
