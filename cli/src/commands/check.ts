import { type Arguments, type Command, EXIT, textOf, UsageError } from "../command.ts";
import { toDurationMs } from "../duration.ts";
import { titleOf } from "../entry.ts";
import { checkToken } from "../operations/check-token.ts";
import { ClaimFolder } from "../operations/claims.ts";
import type { Target } from "../operations/target.ts";
import { STATE_FLAG, stateFolderOf } from "../state-folder.ts";
import { duration, jsonLine } from "../text.ts";

/** The operands. @throws UsageError */
function operandsOf({ operands }: Arguments): readonly [name: string, token: number | undefined] {
  const [name, token, ...others] = operands;
  if (name === undefined || others.length > 0)
    throw new UsageError("give NAME, and TOKEN unless --state has the claim");
  if (token !== undefined && !/^[1-9]\d{0,15}$/.test(token))
    throw new UsageError("TOKEN must be a fencing token, a number above 0");
  return [name, token === undefined ? undefined : Number(token)];
}

/** The token of the claim in the folder; undefined if none is kept, or there is no folder. */
function keptToken(folder: string, target: Target, name: string): number | undefined {
  try {
    return new ClaimFolder(folder, target).newestOf(name)?.token;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new UsageError(`--state cannot be read: ${code}`);
  }
}

export const check: Command = {
  name: "check",
  operands: "NAME [TOKEN]",
  summary: "tell whether a fencing token holds a name right now",
  more: `The exit code is 0 only if the tenure with this token is live by the server's clock. Without an answer it is 3, so a
hook that calls it refuses then, too. Without TOKEN, the token is that of the claim that \`leasehold mcp\` keeps in --state.
It changes nothing.`,
  options: {
    left: { type: "string", value: "TIME", help: "the time that the lease must have left, such as 10s" },
    group: { type: "string", value: "TEXT", help: "the group of the name, if it has one" },
    ...STATE_FLAG,
  },
  async run({ out, err, env, signal, target }, args) {
    const [name, given] = operandsOf(args);
    const left = textOf(args, "left");
    const wantedMs = left === undefined ? 0 : toDurationMs(left, "--left");
    const group = textOf(args, "group");
    const found = await target();
    const token = given ?? keptToken(stateFolderOf(args, env), found, name);
    const title = titleOf({ name, ...(group !== undefined && { group }) });
    const refuse = (why: string): number => {
      if (args.values["json"]) out.line(jsonLine({ name, live: false, ...(token !== undefined && { token }), why }));
      else err.line(`refused ${title}: ${why}`);
      return EXIT.refused;
    };
    if (token === undefined) return refuse("no claim of it is kept here: claim it first");
    const { isLive, leftMs, why } = await checkToken(found.connection, { name, group }, token, signal);
    if (!isLive) return refuse(`token ${token} does not hold it: ${why}`);
    if (leftMs < wantedMs) return refuse(`token ${token} has ${duration(leftMs)} left: renew it first`);
    if (args.values["json"]) out.line(jsonLine({ name, live: true, token, leftMs }));
    else out.line(`${title} is held by token ${token}, ${duration(leftMs)} left`);
    return EXIT.done;
  },
};
