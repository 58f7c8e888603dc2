/** The connection for messages, where the test decides when it opens, subscribes and is lost. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { News } from "../../src/redis/wake-ups.ts";
import { LinkedWakeUps, type MessageLink } from "../../src/tcp/wake-ups.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** What an opened connection does, and what was asked of it. */
interface Opened {
  readonly subscribed: string[];
  readonly unsubscribed: string[];
  isClosed: boolean;
  say(channel: string, text: string): void;
  lose(): void;
}

/** Wake-ups over connections whose subscriptions are answered by `answer`, in the order of the connections. */
function wakeUpsOver(...answers: readonly ((channel: string) => Promise<void>)[]) {
  const opened: Opened[] = [];
  const wakeUps = new LinkedWakeUps(async (onMessage, onLost) => {
    const answer = answers[opened.length] ?? (async () => {});
    const subscribed: string[] = [];
    const unsubscribed: string[] = [];
    const connection: Opened = { subscribed, unsubscribed, isClosed: false, say: onMessage, lose: onLost };
    opened.push(connection);
    const link: MessageLink = {
      async subscribe(channel) {
        subscribed.push(channel);
        await answer(channel);
      },
      async unsubscribe(channel) {
        unsubscribed.push(channel);
      },
      close() {
        connection.isClosed = true;
      },
    };
    return link;
  });
  return { wakeUps, opened };
}

/** A waiter of a channel, and what it hears. */
function listen(wakeUps: LinkedWakeUps, channel = "a") {
  const heard: News[] = [];
  return { heard, ...wakeUps.listen(channel, (news) => heard.push(news)) };
}

const settle = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const fails = async (): Promise<never> => {
  throw new Error("Connection is closed.");
};
/** A subscription that the test answers. */
function pending() {
  let confirm = (): void => {};
  let refuse = (_: Error): void => {};
  const answered = new Promise<void>((resolve, reject) => {
    confirm = resolve;
    refuse = reject;
  });
  return { answer: () => answered, confirm: () => confirm(), refuse: (error: Error) => refuse(error) };
}

it("subscribes once for all waiters of a channel, however often they ask meanwhile (49.3)", async () => {
  const { answer, confirm } = pending();
  const { wakeUps, opened } = wakeUpsOver(answer);
  const [one, other] = [listen(wakeUps), listen(wakeUps)];
  await settle();
  expect([one.isReady(), other.isReady()]).toEqual([false, false]);
  await settle();
  confirm();
  await settle();
  expect(opened.map(({ subscribed }) => subscribed)).toEqual([["a"]]);
  opened[0]?.say("a", "id");
  const news = [{ type: "ready" }, { type: "message", text: "id" }];
  expect([one.heard, other.heard]).toEqual([news, news]);
});

it("closes a connection that cannot subscribe, and opens the next one a second later, for the same waiters (49.3)", async () => {
  const { wakeUps, opened } = wakeUpsOver(fails);
  const waiter = listen(wakeUps);
  await settle(999);
  expect(waiter.isReady()).toBe(false);
  expect(opened).toMatchObject([{ isClosed: true }]);
  await settle(1);
  waiter.isReady();
  await settle();
  expect(waiter.isReady()).toBe(true);
  expect(opened).toHaveLength(2);
  opened[1]?.say("a", "id");
  expect(waiter.heard).toEqual([{ type: "ready" }, { type: "message", text: "id" }]);
});

it("opens no connection again for a user who must not subscribe, and says so to each waiter once it asks (49.3)", async () => {
  const why = "NOPERM User default has no permissions to access one of the channels used as arguments";
  const { wakeUps, opened } = wakeUpsOver(async () => {
    throw new Error(why);
  });
  const waiter = listen(wakeUps);
  await settle(5000);
  expect(waiter.heard).toEqual([{ type: "refused", why }]);
  const later = listen(wakeUps, "b");
  await settle(5000);
  expect(later.heard).toEqual([{ type: "refused", why }]);
  expect(opened).toHaveLength(1);
});

it("is not ready by a subscription of a connection that was lost meanwhile (49.3)", async () => {
  const { answer, confirm } = pending();
  const { wakeUps, opened } = wakeUpsOver(answer);
  const waiter = listen(wakeUps);
  await settle();
  opened[0]?.lose();
  confirm();
  await settle();
  expect(waiter.heard).toEqual([]);
  expect(waiter.isReady()).toBe(false);
  await settle();
  expect(waiter.isReady()).toBe(true);
  expect(opened).toHaveLength(2);
});

it("keeps the next connection when a subscription of the one before fails late (49.3)", async () => {
  const { answer, refuse } = pending();
  const { wakeUps, opened } = wakeUpsOver(answer);
  const [first, second] = [listen(wakeUps), listen(wakeUps, "b")];
  await settle();
  opened[0]?.lose();
  // The subscription of `a` is still under way; that of `c` opens the next connection.
  const third = listen(wakeUps, "c");
  await settle();
  expect(third.isReady()).toBe(true);
  refuse(new Error("Connection is closed."));
  await settle();
  expect(opened).toMatchObject([{}, { isClosed: false }]);
  expect(third.isReady()).toBe(true);
  await settle(1000);
  for (const waiter of [first, second]) waiter.isReady();
  await settle();
  expect([first.isReady(), second.isReady()]).toEqual([true, true]);
  expect(opened).toHaveLength(2);
});

it("ends a channel five seconds after its last waiter, and the connection with the last channel (49.3)", async () => {
  const { wakeUps, opened } = wakeUpsOver();
  const [one, other] = [listen(wakeUps), listen(wakeUps, "b")];
  await settle();
  one.stop();
  await settle(4999);
  expect(opened[0]?.unsubscribed).toEqual([]);
  const back = listen(wakeUps);
  expect(back.isReady()).toBe(true);
  await settle(5000);
  expect(opened[0]?.unsubscribed).toEqual([]);
  back.stop();
  await settle(5000);
  expect(opened[0]).toMatchObject({ unsubscribed: ["a"], isClosed: false });
  other.stop();
  await settle(5000);
  expect(opened[0]?.isClosed).toBe(true);
  expect(wakeUps.isOpen("b")).toBe(false);
});

it("tells those who listen that it was closed, and forgets the channels of nobody (49.3)", async () => {
  const { wakeUps, opened } = wakeUpsOver();
  const [waiter, left] = [listen(wakeUps), listen(wakeUps, "b")];
  await settle();
  left.stop();
  wakeUps.close();
  await settle();
  expect(opened[0]?.isClosed).toBe(true);
  expect(waiter.heard).toEqual([{ type: "ready" }, { type: "lost" }]);
  expect([wakeUps.isOpen("a"), wakeUps.isOpen("b")]).toEqual([false, false]);
  // No timer of `b` closes the next connection.
  waiter.isReady();
  await settle(6000);
  expect(opened).toMatchObject([{}, { isClosed: false }]);
});
