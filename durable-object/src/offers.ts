import type { Reply } from "leasehold-engine";
import { GRANTED, type WaitableCall } from "leasehold-engine/holding";
import type { Commands } from "./server.ts";

/** How long a name is kept for a waiter that was offered it. */
const OFFER_MS = 1000;
/** The same, after several waiters in a row did not come back: each of them halves it. */
const MIN_OFFER_MS = 100;
/** The maximum number of offers at a time for one name, since each request is run behind all of them. */
const MAX_OFFERS = 32;
const US_PER_MS = 1000;

/** A request that may be held, as a whole and as its script reads it. */
export interface WaitingCommand {
  readonly words: readonly string[];
  readonly call: WaitableCall;
}

interface Offer {
  readonly keys: readonly string[];
  /** The random part of the waiter's ID, which all its requests contain. */
  readonly id: string;
  /** The command that would take the name, valid for longer than the offer. */
  readonly words: readonly string[];
  readonly forget: () => void;
}

export interface OffersOptions {
  /** In ms since 1970. */
  readonly now: () => number;
  /** Calls back after this many ms. Returns a function that cancels it. */
  readonly after: (ms: number, callback: () => void) => () => void;
  /** Called when an offer has ended without its waiter, so that others may be offered the name. */
  readonly onExpired: (keys: readonly string[]) => void;
  /** Runs commands together and returns the last reply. Undoes all of them if `keeps` is false of it. */
  readonly tryOut: (commands: Commands, keeps: (last: Reply) => boolean) => Promise<Reply>;
}

/** The outcome of a request that is run behind the offers. */
type Behind =
  /** It would be granted. Nothing was stored. */
  | { readonly type: "grantable" }
  | { readonly type: "answered"; readonly reply: Reply }
  /** There are too many offers to know. */
  | { readonly type: "crowded" };

/**
 * Names that are kept for a moment for waiters that must come back for them. A held request cannot show whether anybody
 * still waits for its answer: a platform may not report that a connection was closed, and a frozen process keeps its
 * connection open. So a name that becomes free is not granted to a held request. Its waiter is told to ask again, and
 * only the new request, which a living client has just sent, is granted.
 */
export interface Offers {
  /** Keeps the names of a request for its waiter. */
  make(waiting: WaitingCommand): void;
  /** Whether a name of this request is kept for anybody else. */
  isBehind(waiting: WaitingCommand): boolean;
  /**
   * Runs a request as if all waiters to whom its names were offered had come back and taken them. A grant is undone.
   * What a refusal writes is stored, such as a place in a queue.
   */
  runBehind(waiting: WaitingCommand): Promise<Behind>;
  /** Ends the offers to the waiters that sent these commands. Returns their keys. */
  end(commands: Commands): readonly string[];
}

const isGrant = (reply: Reply): boolean => Array.isArray(reply) && reply[0] === GRANTED;

/** The part of an argument before what follows an ID: `id#permits@note`, `id hash@note`. */
const idOf = ({ waitable, args }: WaitableCall): string => /^[^#@ ]*/.exec(args[waitable.id] ?? "")?.[0] ?? "";

export function createOffers({ now, after, onExpired, tryOut }: OffersOptions): Offers {
  const offers = new Set<Offer>();
  let missed = 0;

  function end(commands: Commands): readonly string[] {
    if (offers.size === 0) return [];
    const words = new Set(commands.flat());
    const keys: string[] = [];
    for (const offer of offers) {
      if (![...words].some((word) => word.startsWith(offer.id))) continue;
      offers.delete(offer);
      offer.forget();
      keys.push(...offer.keys);
      missed = 0;
    }
    return keys;
  }

  /** The commands of the waiters for whom a name of a request is kept, except its own. */
  function ahead({ call }: WaitingCommand): Commands {
    const own = idOf(call);
    const others = [...offers].filter(({ id, keys }) => id !== own && keys.some((key) => call.keys.includes(key)));
    return others.map(({ words }) => words);
  }

  return {
    make({ words, call }) {
      const { waitable, keys, args } = call;
      const id = idOf(call);
      end([[id]]);
      const offerMs = Math.max(OFFER_MS / 2 ** missed, MIN_OFFER_MS);
      const notAfter = words.length - args.length + waitable.notAfter;
      const offer: Offer = {
        keys,
        id,
        words: words.with(notAfter, String((now() + 2 * offerMs) * US_PER_MS)),
        forget: after(offerMs, () => {
          offers.delete(offer);
          missed++;
          onExpired(keys);
        }),
      };
      offers.add(offer);
    },
    isBehind: (waiting) => ahead(waiting).length > 0,
    async runBehind(waiting) {
      const { words, call } = waiting;
      const others = ahead(waiting);
      if (others.length >= MAX_OFFERS) return { type: "crowded" };
      const behind = others.length > 0 ? await tryOut([...others, words], () => false) : undefined;
      if (behind !== undefined && isGrant(behind)) return { type: "grantable" };
      const own = await tryOut([words], (last) => !isGrant(last));
      if (!isGrant(own)) return { type: "answered", reply: own };
      // It is free only because the others have not come back yet, unless they have lost their places in a queue.
      const isKept = behind !== undefined && call.waitable.ticket === undefined;
      return isKept ? { type: "answered", reply: behind } : { type: "grantable" };
    },
    end,
  };
}
