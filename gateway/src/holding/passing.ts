import { mayFree } from "leasehold-engine/holding";
import { type Backend, type Command, overridden, type Reply, type Wanted } from "../redis/backend.ts";
import { factsOf, isOwnScript, keyOf } from "../redis/commands.ts";
import { passOn, type Receiver } from "../shared/receiver.ts";

/** The keys of a script that may free one of them; none for a script known to free none. */
function keysOfScript(command: Command): readonly string[] {
  const [, script = "", count = ""] = command;
  if (factsOf(command).script === "sha1" && !mayFree(script.toString())) return [];
  return command.slice(3, 3 + Number(count.toString())).map(String);
}

/** The keys that a command may free, as far as that is easily known: all keys of a script, otherwise the first one. */
function keysFreedBy(command: Command): readonly string[] {
  const { script } = factsOf(command);
  if (script === "text" || script === "sha1") return keysOfScript(command);
  const key = keyOf(command);
  return key === undefined ? [] : [String(key)];
}

/** The waiters of a backend. */
interface Waiters {
  /** Whether Redis reports the writes to a key. */
  isReported(key: string): boolean;
  /** The path of scripts for reported keys: the reports of their writes arrive right after their replies. */
  readonly way: Pick<Backend, "send">;
  /** Called when a command that may free a key was answered, or sent on the path of scripts. */
  freed(key: string): void;
}

/** A backend by which waiters notice the commands of this gateway, while there are waiters. */
export function noticePassing(backend: Backend, { isReported, way, freed }: Waiters): Backend {
  /** Whether a request is a single script of leasehold, for a reported key. */
  function isScriptFor(commands: readonly Command[], wanted: Wanted | undefined): boolean {
    const [command, second] = commands;
    if (command === undefined || second !== undefined || wanted?.form === "bytes") return false;
    const isOwn = factsOf(command).script === "sha1" && isOwnScript(command);
    return isOwn && isReported(String(keyOf(command) ?? ""));
  }

  /** Notifies waiters of the keys, except those that Redis reports anyway. */
  const tell = (commands: readonly Command[]): void =>
    commands
      .flatMap(keysFreedBy)
      .filter((key) => !isReported(key))
      .forEach(freed);

  return overridden(backend, {
    send(commands, to, wanted) {
      const isOwn = isScriptFor(commands, wanted);
      if (isOwn) {
        way.send(commands, to, wanted);
        // The first waiter's try is sent right after the script: Redis runs both before the first reply could arrive.
        commands.flatMap(keysFreedBy).forEach(freed);
        return;
      }
      const observer: Receiver<readonly Reply[]> = {
        receive(replies) {
          to.receive(replies);
          tell(commands);
        },
        fail: (error) => to.fail(error),
      };
      backend.send(commands, observer, wanted);
    },
    transact(commands, room) {
      const answer = backend.transact(commands, room);
      passOn(answer, { receive: () => tell(commands), fail: () => {} });
      return answer;
    },
  });
}
