import { type Engine, ErrorReply, type Reply, Status } from "leasehold-engine";

const QUEUED = new Status("QUEUED");
const DISCARDED = new ErrorReply("EXECABORT Transaction discarded because of previous errors.");

/** The commands of a connection between MULTI and EXEC. */
export interface Transaction {
  /** Queues a command, and returns the reply to it. After a refused command, EXEC discards the transaction. */
  queue(words: readonly string[]): Reply;
  /** Runs the commands, and returns the reply to EXEC. */
  exec(): Reply;
}

export function beginTransaction(engine: Engine): Transaction {
  const commands: (readonly string[])[] = [];
  let isRefused = false;
  return {
    queue(words) {
      const refused = engine.refusal(words);
      isRefused ||= refused !== undefined;
      commands.push(words);
      return refused ?? QUEUED;
    },
    exec: () => (isRefused ? DISCARDED : engine.transact(commands)),
  };
}
