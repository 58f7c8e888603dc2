import {
  type Backend,
  type Command,
  elementsOf,
  isArray,
  overridden,
  type Reply,
  repliesOf,
  sendOthers,
} from "../redis/backend.ts";
import { factsOf } from "../redis/commands.ts";
import { GatewayError, NoAnswer } from "../shared/error-answers.ts";
import { passOn } from "../shared/receiver.ts";

const FRESH_MS = 60_000;

/** 503: it is unknown which commands only read, so none is run. */
class UnknownCommands extends GatewayError {
  override readonly name = "UnknownCommands";

  constructor() {
    super(503, "Redis does not tell which commands only read: nothing was sent", { "retry-after": "1" });
  }
}

/**
 * Collects the reading commands of an entry of `COMMAND`: name, arity, flags, and from Redis 7 on the subcommands as
 * the tenth field.
 */
function collect(entry: Reply, into: Set<string>): void {
  const fields = elementsOf(entry);
  const [name, , flags] = fields;
  const isReading = elementsOf(flags).some((flag) => Buffer.isBuffer(flag) && flag.toString() === "readonly");
  if (isReading && Buffer.isBuffer(name)) into.add(name.toString().toLowerCase());
  for (const subcommand of elementsOf(fields[9])) collect(subcommand, into);
}

/**
 * The commands that Redis itself flags as read-only, with subcommands as `object|encoding`; requested when needed, at
 * most once a minute.
 */
function createReading(backend: Backend): () => Promise<ReadonlySet<string>> {
  let known: ReadonlySet<string> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<ReadonlySet<string>> | undefined;

  async function ask(): Promise<ReadonlySet<string>> {
    // A 504 would mean that the caller's commands were sent.
    const [reply] = await repliesOf(backend, [["COMMAND"]]).catch((error: unknown) => {
      throw error instanceof NoAnswer ? new UnknownCommands() : error;
    });
    if (!isArray(reply)) throw new UnknownCommands();
    const found = new Set<string>();
    for (const entry of reply) collect(entry, found);
    known = found;
    askedAt = performance.now();
    return found;
  }

  return async () => {
    if (known !== undefined && performance.now() - askedAt < FRESH_MS) return known;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

function isAllowed(reading: ReadonlySet<string>, command: Command): boolean {
  const { readOnlyToken } = factsOf(command);
  if (readOnlyToken !== undefined) return readOnlyToken === "allowed";
  const name = command[0].toString().toLowerCase();
  if (reading.has(name)) return true;
  return command.length > 1 && reading.has(`${name}|${command[1]?.toString().toLowerCase()}`);
}

/** Redis's error for a missing permission. The name is truncated, since it is the caller's text. */
const noPermission = ([name]: Command): Error =>
  new Error(`NOPERM this user has no permissions to run the '${name.toString().toLowerCase().slice(0, 128)}' command`);

/** Answers about waiters for a read-only caller: of a key in the request, but not the list of keys. */
export const readOnlyAnswers =
  (answer: (command: Command) => Reply): ((command: Command) => Reply) =>
  (command) =>
    factsOf(command).readOnlyToken === "refused" ? noPermission(command) : answer(command);

/**
 * A read-only backend. Redis itself says which commands are read-only; a command without that flag is refused. Scripts
 * run by the variants that cannot write (`EVAL_RO`, `EVALSHA_RO`, `FCALL_RO`).
 */
export function readOnly(backend: Backend): Backend {
  const reading = createReading(backend);
  const refusals = async (commands: readonly Command[]): Promise<(Error | undefined)[]> => {
    const known = await reading();
    return commands.map((command) => (isAllowed(known, command) ? undefined : noPermission(command)));
  };
  return overridden(backend, {
    send(commands, to, wanted) {
      const send = (allowed: readonly Command[]) => repliesOf(backend, allowed, wanted);
      passOn(
        refusals(commands).then((refused) => sendOthers(commands, refused, send)),
        to,
      );
    },
    async transact(commands, room) {
      const refused = await refusals(commands);
      return refused.find((error) => error !== undefined) ?? backend.transact(commands, room);
    },
    // Redis does not flag subscriptions and MONITOR as reading.
    feed: noPermission,
    feedRefusal: noPermission,
  });
}
