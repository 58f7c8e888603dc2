import { type Call, dueOf, type Place, type Ran, runScript } from "../redis/run.ts";
import type { Script } from "../redis/script.ts";
import { type Background, settled } from "../shared/wait.ts";

/** `names`: the numbers of those that were lost, where there are several. */
type ExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };
type CloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names?: string };

type Extend = Script<readonly [id: string, token: number, duration: number, retention: number], ExtendReply>;
type Close = Script<readonly [id: string, token: number, retention: number, due: number], CloseReply>;

/** Which names were lost; undefined where there is only one. */
interface Lost {
  readonly lost?: readonly string[];
}

/** The two things that can be done to a hold, by its id and its token. */
export interface Holding {
  /** Makes it last for `ms` from now, never shorter; 0 only asks. */
  extend(id: string, token: number, ms: number, call: Call): Promise<Ran<ExtendReply> & Lost>;
  /** Ends it; with token 0 whatever came of it: cancelled. */
  close(id: string, token: number, call: Call): Promise<Ran<CloseReply> & Lost>;
}

/** How it is done on one server: by one script each. */
export function holding(place: Place, extend: Extend, close: Close): Holding {
  const { retentionMs } = place.connection;
  return {
    extend: (id, token, ms, call) => runScript(place, extend, [id, token, ms, retentionMs], call),
    close(id, token, call) {
      const due = token === 0 || call.doubted ? dueOf(place) : 0;
      return runScript(place, close, [id, token, retentionMs, due], call);
    },
  };
}

/**
 * Cancels an id, whatever came of its requests: false when no answer says that it is closed, undefined when that is not known yet,
 * after an abort or with a `waitUntil`.
 */
export const giveBack = (
  { place, id, close }: { readonly place: Place; readonly id: string } & Pick<Holding, "close">,
  operation: string,
  budgetMs: number,
  waitUntil: Background | undefined,
  signal: AbortSignal | undefined,
): Promise<boolean | undefined> =>
  settled(
    close(id, 0, { operation: "cancel", budgetMs, tries: { made: 0, most: 2 } }).then(
      ({ status }) => status === "closed",
      () => {
        place.emit({ type: "unanswered", operation });
        return false;
      },
    ),
    waitUntil,
    signal,
  );
