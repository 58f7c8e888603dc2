import type { Command, Reply } from "./backend.ts";
import type { ServerAddress } from "./url.ts";

const PING: Command = ["PING"];

function login({ username, password }: ServerAddress): Command[] {
  if (username !== undefined) return [["AUTH", username, password ?? ""]];
  return password === undefined ? [] : [["AUTH", password]];
}

/** The commands that log a new connection in, select its database and check the server. */
export function greeting(server: ServerAddress): Command[] {
  const select: Command[] = server.db === 0 ? [] : [["SELECT", String(server.db)]];
  const role: Command[] = server.mustBePrimary === true ? [["ROLE"]] : [];
  return [...login(server), ...select, ...role, PING];
}

/** The errors of a server that needs no password; commands may still be sent. */
const NEEDS_NO_PASSWORD = /no password is set|without any password configured/;
/** The errors of a server that has accepted the login. LOADING is not one of them: such a server is not ready. */
const IS_THERE = /^(NOPERM|BUSY|MISCONF|MASTERDOWN) /;

const isText = (reply: Reply, text: string): boolean => Buffer.isBuffer(reply) && reply.toString() === text;

function isPrimary(reply: Reply): boolean {
  if (reply instanceof Error) return IS_THERE.test(reply.message);
  return Array.isArray(reply) && isText(reply[0] ?? null, "master");
}

function isFine(question: Command, reply: Reply): boolean {
  const [name] = question;
  if (name === "ROLE") return isPrimary(reply);
  if (name === "PING") return isText(reply, "PONG") || (reply instanceof Error && IS_THERE.test(reply.message));
  return isText(reply, "OK") || (name === "AUTH" && reply instanceof Error && NEEDS_NO_PASSWORD.test(reply.message));
}

/** Whether the replies to the {@link greeting} mean that commands may be sent. */
export const isWelcome = (server: ServerAddress, replies: readonly Reply[]): boolean =>
  greeting(server).every((question, at) => isFine(question, replies[at] ?? null));

/** The command that a server refused during login, with only the code of its error. */
export function refusalOf(server: ServerAddress, replies: readonly Reply[]): string | undefined {
  for (const [at, question] of greeting(server).entries()) {
    const reply = replies[at] ?? null;
    if (isFine(question, reply)) continue;
    if (reply instanceof Error) return `${question[0]}: ${reply.message.split(" ", 1)}`;
    if (question[0] === "ROLE") return "ROLE: replica";
  }
  return undefined;
}
