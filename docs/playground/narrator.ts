import { StaleTokenError } from "../../src/fence/index.ts";
import type { LeaseholdEvent } from "../../src/index.ts";
import { type Action, CLOCK_STEP_SECONDS, FREEZE_SECONDS } from "./address.ts";
import { type History, type Name, type Note, nickname, other, type Tenure } from "./history.ts";
import type { Arrival } from "./network.ts";
import type { InstanceView, ServerView } from "./view.ts";

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

type Sentence = Pick<Note, "text" | "tone">;

/** The names of operations in a sentence. */
const CALLED: Readonly<Record<Arrival["operation"], string>> = {
  acquire: "request for the lock",
  extend: "extension",
  release: "release",
  claim: "claim",
  write: "write",
  other: "request",
};

export const inSeconds = (value: number): string => `${value.toFixed(1)} s`;

const plain = (text: string): Sentence => ({ text, tone: "plain" });

function deedInWords(action: Action, holder: ServerView["holder"]): string {
  const [what, who] = action.split("-") as [string, string];
  const holds = holder?.who === who;
  switch (what) {
    case "freeze":
      return `You freeze ${who} for ${FREEZE_SECONDS} s. ${
        holds
          ? "It runs no code and no timers, so it cannot notice that its lease ends."
          : `${who} does not hold the lock, so nobody waits for it.`
      }`;
    case "lose":
      return `The next answer to ${who} will be lost: the server does what it is asked, and ${who} never learns of it.`;
    case "kill":
      return `You kill ${who}. ${
        holds
          ? `Nobody is left to release the lock, but the lease expires in ${inSeconds(holder.remaining)}.`
          : `${who} did not hold the lock.`
      }`;
    case "start":
      return `You start ${who} again. It remembers nothing.`;
  }
  return action === "clock-forward"
    ? `You step the server's clock ${CLOCK_STEP_SECONDS} s forward: a lease can expire there before its holder knows.`
    : `You step the server's clock ${CLOCK_STEP_SECONDS} s back: a lease lasts longer there than its holder thinks.`;
}

function grantInWords(history: History, who: Name, reply: Arrival["reply"]): Sentence {
  const [token = 0, leaseUs = 0] = reply.slice(2).map(Number);
  const before = history.tokens.at(-2);
  const isNext = before !== undefined && token === before + 1;
  const why = isNext ? " The server's clock is behind the last token, so this one is the last plus 1." : "";
  return plain(
    `${who} gets the lock for ${Math.round(leaseUs / 1e6)} s, under token ${nickname(history, token)}.${why}`,
  );
}

/** A claim or a write, and the fence's verdict. */
function writeInWords(
  history: History,
  { exchange, operation, token = 0, value, reply }: Arrival,
): Sentence | undefined {
  const { who, verdict } = exchange;
  const name = nickname(history, token);
  switch (verdict) {
    case "stale": {
      const seen = Number(reply[2]);
      const by = history.tenures.find((tenure) => tenure.token === seen)?.who ?? other(who);
      const rule = `its token ${name} is lower than ${nickname(history, seen)}, which the resource has seen from ${by}`;
      return { text: `The fence refuses ${who}'s ${operation}: ${rule}. Nothing is overwritten.`, tone: "bad" };
    }
    case "forgotten": {
      const why = "it began later than the server's clock says";
      const text = `The fence refuses ${who}'s ${operation} for now: ${why}. ${who} repeats it with the right time.`;
      return { text, tone: "server" };
    }
    case "written": {
      const lost = history.writes.findLast((write) => write.who === who)?.overwrote;
      const before = history.writes.findLast((write) => write.token === lost && write.value !== undefined);
      if (value !== undefined && lost !== undefined && before)
        return {
          text: `Nothing checks the token: ${who} writes “${value}” under ${name}, and “${before.value}” of ${nickname(history, lost)} is lost.`,
          tone: "bad",
        };
      return value === undefined
        ? plain(`${who} claims the resource: from now on it refuses tokens lower than ${name}.`)
        : {
            text: `${who} writes “${value}” under ${name}. No higher token was seen, so the fence accepts.`,
            tone: "good",
          };
    }
  }
  return undefined;
}

/** Turns what arrives at the server into sentences. */
function createListener(history: History, say: (sentence: Sentence) => void) {
  /** Requests whose answer was lost, until the next one. */
  const missed: Partial<Record<Name, Arrival>> = {};
  const waiting = new Set<Name>();
  /** The instances that were told the new time since the last step of the server's clock. */
  const corrected = new Set<Name>();

  function sentenceOf(arrival: Arrival): Sentence | undefined {
    const { exchange, operation, reply } = arrival;
    const { who, verdict } = exchange;
    const before = missed[who];
    delete missed[who];
    if (verdict === "late") {
      if (corrected.has(who)) return undefined;
      corrected.add(who);
      const why = "it carries a deadline, which has passed by the server's clock";
      const text = `Redis refuses a request of ${who}: ${why}. ${who} learns the time and retries.`;
      return { text, tone: "server" };
    }
    if (before?.operation === operation && before.exchange.verdict === verdict)
      return plain(
        `${who} retries its ${CALLED[operation]} under the same ID: it takes effect once, and the response is the same.`,
      );
    if (operation === "release")
      return plain(
        verdict === "closed" ? `${who} releases the lock.` : `${who} has nothing to release: its lease had ended.`,
      );
    if (operation !== "acquire") return writeInWords(history, arrival);
    if (verdict === "granted") {
      waiting.delete(who);
      return grantInWords(history, who, reply);
    }
    if (verdict !== "held" || waiting.has(who)) return undefined;
    waiting.add(who);
    return plain(`${who} asks for the lock. ${other(who)} holds it, so ${who} waits and polls.`);
  }

  return {
    arrived(arrival: Arrival): void {
      const sentence = sentenceOf(arrival);
      if (sentence) say(sentence);
    },
    lost(arrival: Arrival): void {
      const { who } = arrival.exchange;
      missed[who] = arrival;
      const unknown = `whether its ${CALLED[arrival.operation]} took effect`;
      say({ text: `The answer to ${who} is lost. ${who} cannot know ${unknown}.`, tone: "bad" });
    },
    clockStepped: () => corrected.clear(),
    started(who: Name): void {
      waiting.delete(who);
      delete missed[who];
    },
  };
}

export function createNarrator(
  history: History,
  seconds: () => number,
  instance: (name: Name) => InstanceView,
): Narrator {
  const say = ({ text, tone }: Sentence): void => void history.notes.push({ at: seconds(), tone, text });
  const { arrived, lost, clockStepped, started } = createListener(history, say);
  return {
    deed(action, holder) {
      if (action.startsWith("clock")) clockStepped();
      if (action.startsWith("start")) started(action.slice(-1) as Name);
      say({ text: deedInWords(action, holder), tone: "you" });
    },
    arrived,
    lost,
    told(who, event) {
      if (event.type === "unanswered") say(plain(`${who} gets no response to its ${event.operation}, and continues.`));
      if (event.type !== "lost") return;
      const hasJustWoken = history.instances[who].freezes.at(-1)?.to === seconds();
      const late = hasJustWoken ? " only now, since no timer fired while it was frozen" : "";
      say(plain(`${who}'s signal is aborted${late}: its lease has ended (${event.reason}).`));
    },
    failed(who, error) {
      const isStale = error instanceof StaleTokenError;
      const what = isStale ? "a StaleTokenError and stops the work" : `an error: ${Object(error).message ?? error}`;
      say(plain(`${who}'s code gets ${what}.`));
    },
    woke(who) {
      const holder = history.tenures.findLast(({ to }) => to === undefined);
      const isOvertaken = holder !== undefined && holder.who !== who;
      const then = isOvertaken ? ` By now ${holder.who} holds the lock, under ${nickname(history, holder.token)}.` : "";
      say({ text: `${who} wakes up, and continues as if nothing had happened.${then}`, tone: "you" });
    },
    expired({ who }) {
      const { state, lease } = instance(who);
      const text = `${who}'s lease has expired by the server's clock: the lock is free.`;
      if (state === "frozen") say({ text: `${text} ${who} is frozen and does not know.`, tone: "server" });
      else if (state === "runs" && lease && lease.remaining > 0.2)
        say({ text: `${text} ${who} still believes that it has ${inSeconds(lease.remaining)} left.`, tone: "server" });
      else say({ text, tone: "server" });
    },
  };
}
