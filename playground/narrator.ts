import { StaleTokenError } from "../src/fence/index.ts";
import type { LeaseholdEvent } from "../src/index.ts";
import type { Action } from "./address.ts";
import { type History, type Name, type Note, nickname, other, type Tenure } from "./history.ts";
import type { Arrival } from "./network.ts";
import { CLOCK_STEP_SECONDS, FREEZE_SECONDS, type InstanceView, type ServerView } from "./simulation.ts";

/** Tells a run in sentences. */
export interface Narrator {
  deed(action: Action, holder: ServerView["holder"]): void;
  arrived(arrival: Arrival): void;
  lost(arrival: Arrival): void;
  told(who: Name, event: LeaseholdEvent): void;
  failed(who: Name, error: unknown): void;
  woke(who: Name): void;
  expired(tenure: Tenure): void;
}

/** What an operation is called in a sentence. */
const CALLED: Readonly<Record<Arrival["operation"], string>> = {
  acquire: "its request for the lock",
  extend: "its extension",
  release: "its release",
  claim: "its claim",
  write: "its write",
  other: "its request",
};

export const inSeconds = (value: number): string => `${value.toFixed(1)} s`;

function deedInWords(action: Action, holder: ServerView["holder"]): string {
  const [what, who] = action.split("-") as [string, string];
  const holds = holder?.who === who;
  switch (what) {
    case "freeze":
      return `You freeze ${who} for ${FREEZE_SECONDS} s. ${
        holds
          ? "It runs no code and none of its timers fires, so it cannot notice that its lease ends."
          : `${who} does not hold the lock, so nobody has to wait for it.`
      }`;
    case "lose":
      return `The next answer to ${who} will be lost: the server does as it is asked, and ${who} does not hear of it.`;
    case "kill":
      return `You kill ${who}. ${
        holds
          ? `Nobody is left to release the lock, but the lease ends by itself in ${inSeconds(holder.remaining)}.`
          : `${who} did not hold the lock.`
      }`;
    case "start":
      return `You start ${who} again. It remembers nothing.`;
    default:
      return action === "clock-forward"
        ? `You step the server's clock ${CLOCK_STEP_SECONDS} s forward: a lease can be over there before its holder's own clock says so.`
        : `You step the server's clock ${CLOCK_STEP_SECONDS} s back: a lease lasts longer there than its holder thinks.`;
  }
}

export function createNarrator(
  history: History,
  seconds: () => number,
  instance: (name: Name) => InstanceView,
): Narrator {
  const missed: Partial<Record<Name, Arrival>> = {};
  const waiting = new Set<Name>();
  /** The instances that were told the new time since the last step of the server's clock. */
  const corrected = new Set<Name>();
  const name = (token: number): string => nickname(history, token);
  const say = (text: string, tone: Note["tone"] = "plain"): void => {
    history.notes.push({ at: seconds(), tone, text });
  };

  function acquired(who: Name, verdict: string | undefined, token: number): void {
    if (verdict === "held") {
      if (!waiting.has(who)) say(`${who} asks for the lock. ${other(who)} holds it, so ${who} waits and asks again.`);
      waiting.add(who);
    }
    if (verdict !== "granted") return;
    waiting.delete(who);
    const before = history.tokens.at(-2);
    const isNext = before !== undefined && token === before + 1;
    const why = isNext ? " The server's clock is behind the last token, so this one is the last plus 1." : "";
    say(`${who} gets the lock for 8 s, under token ${name(token)}.${why}`);
  }

  function wrote({ exchange: { who, verdict }, operation, token = 0, value, reply }: Arrival): void {
    if (verdict === "stale") {
      const seen = Number(reply[2]);
      const what = operation === "claim" ? "claim" : "write";
      const by = history.tenures.find((tenure) => tenure.token === seen)?.who ?? other(who);
      const rule = `its token ${name(token)} is lower than ${name(seen)}, which the resource has seen from ${by}`;
      say(`The fence refuses ${who}'s ${what}: ${rule}. Nothing is overwritten.`, "bad");
    } else if (verdict === "forgotten")
      say(
        `The fence refuses ${CALLED[operation].replace("its", `${who}'s`)} for now: it began later than the server's clock says. ${who} repeats it with the right time.`,
        "server",
      );
    else if (verdict !== "written") return;
    else if (operation === "claim")
      say(`${who} claims the resource: from now on it refuses tokens lower than ${name(token)}.`);
    else say(`${who} writes “${value}” under ${name(token)}. No higher token was seen, so the fence accepts.`, "good");
  }

  function arrived(arrival: Arrival): void {
    const { exchange, operation, reply } = arrival;
    const { who, verdict } = exchange;
    const before = missed[who];
    delete missed[who];
    if (verdict === "late") {
      const why = "it carries a deadline, which has passed by the server's clock";
      if (!corrected.has(who))
        say(`Redis refuses a request of ${who}: ${why}. ${who} learns the time and asks again.`, "server");
      corrected.add(who);
    } else if (before?.operation === operation && before.exchange.verdict === verdict)
      say(
        `${who} sends ${CALLED[operation]} again, under the same id: it takes effect once, and the answer is the same.`,
      );
    else if (operation === "acquire") acquired(who, verdict, Number(reply[2]));
    else if (operation === "claim" || operation === "write") wrote(arrival);
    else if (operation === "release")
      say(verdict === "closed" ? `${who} releases the lock.` : `${who} has nothing to release: its lease was over.`);
  }

  return {
    deed(action, holder) {
      if (action.startsWith("clock")) corrected.clear();
      say(deedInWords(action, holder), "you");
    },
    arrived,
    lost(arrival) {
      const { who } = arrival.exchange;
      missed[who] = arrival;
      say(`The answer to ${who} is lost. ${who} cannot know whether ${CALLED[arrival.operation]} took effect.`, "bad");
    },
    told(who, event) {
      if (event.type === "lost") {
        const hasJustWoken = history.instances[who].freezes.at(-1)?.to === seconds();
        const late = hasJustWoken ? " only now, since no timer fired while it was frozen" : "";
        say(`${who}'s signal is aborted${late}: its lease is over (${event.reason}).`);
      } else if (event.type === "unanswered") say(`${who} has no answer about ${event.operation}, and goes on.`);
    },
    failed(who, error) {
      say(
        error instanceof StaleTokenError
          ? `${who}'s code gets a StaleTokenError and gives the work up.`
          : `${who}'s code gets an error: ${error instanceof Error ? error.message : error}.`,
      );
    },
    woke(who) {
      const holder = history.tenures.findLast(({ to }) => to === undefined);
      const meanwhile =
        holder && holder.who !== who ? ` By now ${holder.who} holds the lock, under ${name(holder.token)}.` : "";
      say(`${who} wakes up, and goes on as if nothing had happened.${meanwhile}`, "you");
    },
    expired({ who, until }) {
      const { state, lease } = instance(who);
      const early = until < seconds() - 0.2 && lease && lease.remaining > 0.2;
      const knows =
        state === "frozen"
          ? ` ${who} is frozen and does not know.`
          : early && state === "runs"
            ? ` ${who} still counts on ${inSeconds(lease.remaining)}.`
            : "";
      say(`${who}'s lease is over by the server's clock: the lock is free.${knows}`, "server");
    },
  };
}
