import { describe, expect, it } from "vitest";
import type { ListedHolder } from "../../../src/list/index.ts";
import { observe } from "../../src/ui/history.ts";
import type { Seen } from "../../src/ui/wire.ts";

const AT = 1_795_000_000_000;

/** A lock as it is held under a token that began some seconds after {@link AT}. */
const held = (began: number, until: number, more: Partial<Seen> = {}): Seen => ({
  name: "one",
  kind: "lock",
  state: "held",
  held: true,
  token: (AT + began * 1000) * 1000,
  since: AT + began * 1000,
  until: AT + until * 1000,
  holds: 1,
  ...more,
});
const free: Seen = { name: "one", kind: "none", state: "free", held: false, token: 1, holds: 0 };
const at = (seconds: number): number => AT + seconds * 1000;

describe("what was seen of a name", () => {
  it("distinguishes an expired lease from a released one", () => {
    const { history, note } = observe(AT);
    note(held(0, 10), at(1));
    note(held(0, 10), at(9));
    note(undefined, at(11));
    note(held(20, 30), at(21));
    note(free, at(22));
    expect(history.tenures).toMatchObject([
      { since: at(0), ended: "ranOut", endedAt: at(10), isExact: true },
      { since: at(20), ended: "gaveBack", endedAt: at(22) },
    ]);
  });

  it("ends a tenure where the next one began, at the latest", () => {
    const { history, note } = observe(AT);
    note(held(0, 30, { label: "a" }), at(1));
    note(held(2, 32, { label: "b" }), at(5));
    expect(history.tenures).toMatchObject([
      { label: "a", ended: "gaveBack", endedAt: at(2) },
      { label: "b", since: at(2) },
    ]);
    expect(history.tenures[1]?.ended).toBeUndefined();
  });

  it("knows what was released here, also when an older look says otherwise", () => {
    const { history, note, noteRelease } = observe(AT);
    note(held(0, 30), at(1));
    noteRelease({ token: (AT + 0) * 1000 }, at(2));
    note(held(0, 30), at(3));
    note(free, at(4));
    note(held(5, 35), at(6));
    note(free, at(7));
    expect(history.tenures).toMatchObject([
      { ended: "here", endedAt: at(2) },
      { ended: "gaveBack", endedAt: at(7) },
    ]);
  });

  it("takes back an end that was not one", () => {
    const { history, note } = observe(AT);
    note(held(0, 10), at(1));
    note(undefined, at(2));
    note(held(0, 12), at(3));
    expect(history.tenures).toHaveLength(1);
    expect(history.tenures[0]).toMatchObject({ until: at(12), lastSeenAt: at(3) });
    expect(history.tenures[0]).not.toHaveProperty("ended");
  });

  it("notes each extension, and counts no jitter of a lease as one", () => {
    const { history, note } = observe(AT);
    for (const [until, when] of [
      [10, 1],
      [10, 2],
      [13, 3],
      [13, 4],
      [20, 5],
    ] as const)
      note(held(0, until), at(when));
    expect(history.tenures).toMatchObject([{ extendedAt: [at(3), at(5)], until: at(20), lastSeenAt: at(5) }]);
  });

  it("keeps holders of permits apart, also such as look alike, and is not misled by a list that has none", () => {
    const { history, note } = observe(AT);
    const holder = (began: number, more: Partial<ListedHolder> = {}): ListedHolder => ({
      since: at(began),
      until: at(60),
      permits: 1,
      ...more,
    });
    const pool = { kind: "semaphore", holds: 3, waiters: 2 } as const;
    note(held(2, 60, { ...pool, holders: [holder(1), holder(1), holder(2, { label: "c" })] }), at(3));
    note(held(2, 60, pool), at(4));
    note(held(2, 60, { ...pool, waiters: 0, holders: [holder(1), holder(2, { label: "c" })] }), at(5));
    expect(history.tenures.map(({ since, label, ended }) => [since, label, ended])).toEqual([
      [at(1), undefined, undefined],
      [at(1), undefined, "gaveBack"],
      [at(2), "c", undefined],
    ]);
    expect(history.waiters).toEqual([
      { at: at(3), count: 2 },
      { at: at(5), count: 0 },
    ]);
  });

  it("counts the attempts of a once, and tells a result from a failure", () => {
    const { history, note } = observe(AT);
    const running = (began: number, attempts: number): Seen =>
      held(began, began + 30, { kind: "once", state: "running", attempts });
    note(running(0, 1), at(1));
    note({ ...running(0, 1), state: "idle", held: false }, at(2));
    note(running(5, 2), at(6));
    note({ ...running(5, 2), state: "done", held: false }, at(7));
    expect(history.tenures).toMatchObject([
      { attempt: 1, ended: "gaveBack" },
      { attempt: 2, ended: "done" },
    ]);
  });

  it("is bounded, however often a name changes hands and however long it is looked at", () => {
    const { history, note } = observe(AT);
    for (let second = 0; second < 1000; second++) {
      note(held(second, second + 30, { waiters: second % 3 }), at(second));
      for (let more = 1; more < 4; more++) note(held(second, second + 30 + more), at(second + more / 10));
    }
    expect(history.tenures.length).toBeLessThanOrEqual(200);
    expect(history.waiters.length).toBeLessThanOrEqual(500);
    note(free, at(5000));
    note(free, at(9000));
    expect(history.tenures).toEqual([]);
  });
});
