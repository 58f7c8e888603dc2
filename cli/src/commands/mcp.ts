import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Writable } from "node:stream";
import { createLocks } from "../../../src/create-locks.ts";
import { type Arguments, type Command, type Context, EXIT, textOf, UsageError } from "../command.ts";
import type { Desk } from "../mcp/tools.ts";
import { openMemory } from "../open-target.ts";
import { ClaimFolder } from "../operations/claims.ts";
import { portOf } from "../port.ts";
import { STATE_FLAG, stateFolderOf } from "../state-folder.ts";

const NAME_PREFIX = "agent:";
const TOKEN_VARIABLE = "LEASEHOLD_MCP_TOKEN";
const MIN_TOKEN_LENGTH = 16;

/** The token that clients over HTTP must send. @throws UsageError for a short one. */
function httpTokenOf(env: Context["env"]): { readonly token: string; readonly isOurs: boolean } {
  const given = env[TOKEN_VARIABLE];
  if (!given) return { token: randomBytes(24).toString("base64url"), isOurs: true };
  if (given.length < MIN_TOKEN_LENGTH || !/^[!-~]+$/.test(given))
    throw new UsageError(`${TOKEN_VARIABLE} must have at least ${MIN_TOKEN_LENGTH} characters, and no spaces`);
  return { token: given, isOurs: false };
}

async function openDesk(context: Context, args: Arguments): Promise<Desk> {
  const found = args.values["memory"] === true ? (await openMemory(args)).target : await context.target();
  const claims = new ClaimFolder(stateFolderOf(args, context.env), found);
  try {
    claims.prepare();
  } catch (error) {
    throw new UsageError(`--state cannot be used: ${(error as NodeJS.ErrnoException).code}; give a folder of your own`);
  }
  const namePrefix = typeof args.values["names"] === "string" ? args.values["names"] : NAME_PREFIX;
  return { locks: createLocks(found.connection), claims, namePrefix, version: context.version() };
}

/** Serves until the client closes the input, or a signal arrives. */
async function overStdio({ input, out, err, signal }: Context, desk: Desk): Promise<number> {
  const { serveStdio, StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
  const { makeServer } = await import("../mcp/tools.ts");
  const output = new Writable({
    decodeStrings: false,
    write(text, _encoding, done) {
      out.raw(String(text));
      done();
    },
  });
  const handle = serveStdio(() => makeServer(desk), {
    transport: new StdioServerTransport(input, output),
    onerror: (error) => err.line(`leasehold: ${error.message}`),
  });
  await new Promise<void>((resolve) => {
    for (const event of ["end", "close"]) input.once(event, () => resolve());
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted || input.destroyed) resolve();
  });
  await handle.close();
  return signal.aborted ? EXIT.interrupted : EXIT.done;
}

async function overHttp({ out, env, signal }: Context, args: Arguments, desk: Desk): Promise<number> {
  const { serveHttp } = await import("../mcp/http.ts");
  const { makeServer } = await import("../mcp/tools.ts");
  const port = portOf(textOf(args, "port")) ?? 0;
  const { token, isOurs } = httpTokenOf(env);
  const { url, close } = await serveHttp(() => makeServer(desk), port, token).catch((error: NodeJS.ErrnoException) => {
    throw error.syscall === "listen" ? new UsageError(`--port ${port} cannot be used: ${error.code}`) : error;
  });
  const header = isOurs ? `Authorization: Bearer ${token}` : `Authorization: Bearer $${TOKEN_VARIABLE}`;
  if (args.values["json"]) out.line(JSON.stringify({ url, ...(isOurs && { token }) }));
  else out.line(`MCP at ${url}; clients send the header "${header}" (Ctrl-C stops it).`);
  if (!signal.aborted) await once(signal, "abort");
  await close();
  return EXIT.interrupted;
}

export const mcp: Command = {
  name: "mcp",
  summary: "serve locks to agents, over the Model Context Protocol",
  more: `It serves the tools claim, wait, renew, release, who and check over stdio, or over HTTP on 127.0.0.1 with --http. Over
HTTP, clients need the token in ${TOKEN_VARIABLE}, otherwise a random one that it prints. Claims outlive the server: each is
kept in a file of --state, and any server with the same --state resumes it.`,
  options: {
    names: {
      type: "string",
      value: "TEXT",
      help: `the prefix of all names that agents can claim; default ${NAME_PREFIX}`,
    },
    memory: { type: "boolean", help: "use a Redis in memory instead of a server, to try it: nothing is kept" },
    http: { type: "boolean", help: "serve streamable HTTP instead of stdio" },
    port: { type: "string", value: "N", help: "with --http: the port on 127.0.0.1; default: a free one" },
    ...STATE_FLAG,
  },
  async run(context, args) {
    if (args.operands.length > 0) throw new UsageError("mcp takes no NAME: agents name what they claim");
    const isHttp = args.values["http"] === true;
    if (!isHttp && textOf(args, "port") !== undefined) throw new UsageError("--port goes with --http");
    const desk = await openDesk(context, args);
    return isHttp ? overHttp(context, args, desk) : overStdio(context, desk);
  },
};
