import { ErrorReply, type Reply, Status } from "../redis/reply.ts";
import { toText } from "./bytes.ts";

/** The encoding of strings in replies. */
export type Encoding = "text" | "base64";

const string = (bytes: string, encoding: Encoding): string =>
  encoding === "base64" ? `"${btoa(bytes)}"` : JSON.stringify(toText(bytes));

function value(reply: Reply, encoding: Encoding): string {
  if (reply === null) return "null";
  if (typeof reply === "string") return string(reply, encoding);
  if (typeof reply === "number") return String(reply);
  // An integer that a JSON parser would round is a string.
  if (typeof reply === "bigint") return string(String(reply), encoding);
  if (reply instanceof Status) return string(reply.text, encoding);
  if (reply instanceof ErrorReply) return string(reply.message, encoding);
  return `[${reply.map((item) => value(item, encoding)).join(",")}]`;
}

/** A reply as JSON: `{"result": …}` or `{"error": …}`. A bare OK is never base64. */
export function replyJson(reply: Reply, encoding: Encoding): string {
  if (reply instanceof ErrorReply) return `{"error":${JSON.stringify(toText(reply.message))}}`;
  const isOk = reply === "OK" || (reply instanceof Status && reply.text === "OK");
  return `{"result":${isOk ? '"OK"' : value(reply, encoding)}}`;
}
