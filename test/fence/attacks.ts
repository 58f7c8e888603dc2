import { describe, expect, it } from "vitest";
import { freshName, pause } from "../support/names.ts";
import { type Deed, deed, type Resource } from "./deed.ts";

/**
 * Nothing is accepted that began after something newer had been accepted, and what is there is what was accepted, in
 * order.
 */
export function judge(deeds: readonly Deed[], values: readonly string[], single = false): void {
  const accepted = deeds.filter((deed) => deed.accepted);
  for (const late of accepted) {
    const newer = accepted.find((deed) => deed.token > late.token && deed.to < late.from);
    expect(newer, `accepted ${late.value ?? "a claim"} after this`).toBeUndefined();
  }
  // Neither is anything refused that nobody newer can have preceded.
  for (const refused of deeds.filter((deed) => !deed.accepted)) {
    expect(deeds.some((deed) => deed.token > refused.token && deed.from < refused.to)).toBe(true);
  }
  const tokens = values.map((value) => Number(value.split(":")[0]));
  expect(tokens).toEqual([...tokens].sort((a, b) => a - b));
  const written = accepted.flatMap(({ value }) => value ?? []);
  if (single) {
    const highest = Math.max(...written.map((value) => Number(value.split(":")[0])));
    expect(tokens).toEqual([highest]);
    expect(written).toContain(values[0]);
  } else expect([...values].sort()).toEqual([...written].sort());
}

const STALE = { code: "stale_token" };

export interface AttackSettings {
  readonly deeds?: number;
  /** It keeps one value, and belongs to one name. */
  readonly single?: boolean;
}

/** The attacks that every resource must withstand. */
export function attacks(label: string, open: () => Promise<Resource>, settings: AttackSettings = {}): void {
  const { deeds = 200, single = false } = settings;
  describe.concurrent(label, () => {
    it("refuses a stale write after a newer claim, and keeps what is there", async () => {
      const resource = await open();
      const name = freshName();
      await resource.write({ name, token: 1 }, "1:first");
      await resource.claim({ name, token: 2 });
      await expect(resource.write({ name, token: 1 }, "1:stale")).rejects.toMatchObject({
        ...STALE,
        lockName: name,
        token: 1,
        seen: 2,
      });
      await expect(resource.claim({ name, token: 1 })).rejects.toMatchObject(STALE);
      expect(await resource.values()).toEqual(["1:first"]);
    });

    it("refuses a stale write after a newer write, and takes an equal one", async () => {
      const resource = await open();
      const name = freshName();
      await resource.claim({ name, token: 9 });
      await resource.write({ name, token: 10 }, "10:a");
      await expect(resource.write({ name, token: 9 }, "9:stale")).rejects.toMatchObject(STALE);
      await resource.claim({ name, token: 10 });
      await resource.write({ name, token: 10 }, "10:b");
      expect((await resource.values()).at(-1)).toBe("10:b");
      // Tokens are µs since 1970, and the largest number that is one.
      await resource.write({ name, token: 1_795_245_806_351_390 }, "1795245806351390:c");
      await resource.write({ name, token: 9_007_199_254_740_991 }, "9007199254740991:d");
      const stale = resource.write({ name, token: 9_007_199_254_740_990 }, "9007199254740990:stale");
      await expect(stale).rejects.toMatchObject({ ...STALE, seen: 9_007_199_254_740_991 });
      expect((await resource.values()).at(-1)).toBe("9007199254740991:d");
    });

    if (!single) {
      it("keeps names apart", async () => {
        const resource = await open();
        const name = freshName('it\'s "a" {name} %s ; 🔒');
        await resource.claim({ name, token: 5 });
        await resource.write({ name: `${name}2`, token: 1 }, "1:other");
        expect(await resource.values()).toEqual(["1:other"]);
      });
    }

    it("refuses what cannot come from a lease", async () => {
      const resource = await open();
      for (const [lease, error] of [
        [{ name: "", token: 1 }, "RangeError"],
        [{ name: "a\ud800", token: 1 }, "TypeError"],
        [{ name: "n" }, "TypeError"],
        [{ name: "n", token: "1" }, "TypeError"],
        [{ name: "n", token: 0 }, "RangeError"],
        [{ name: "n", token: -1 }, "RangeError"],
        [{ name: "n", token: 1.5 }, "RangeError"],
        [{ name: "n", token: 2 ** 53 }, "RangeError"],
        [{ token: 1 }, "TypeError"],
      ] as const) {
        await expect(resource.claim(lease as never)).rejects.toMatchObject({ name: error });
        await expect(resource.write(lease as never, "1:bad")).rejects.toMatchObject({ name: error });
      }
      expect(await resource.values()).toEqual([]);
    });

    it(`of ${deeds} claims and writes at random, eight at a time, takes no stale one`, async () => {
      const resource = await open();
      const name = freshName();
      let next = 0;
      const done: Deed[] = [];
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          while (next < deeds) {
            const at = next++;
            // Around a token that rises, some behind and some ahead.
            const token = 1 + Math.floor(at / 5) + Math.floor(Math.random() * 4);
            const value = Math.random() < 0.3 ? undefined : `${token}:${at}`;
            done.push(await deed(resource, { name, token }, value));
            if (Math.random() < 0.2) await pause(Math.random() * 10);
          }
        }),
      );
      judge(done, await resource.values(), single);
      const refused = done.filter(({ accepted }) => !accepted).length;
      expect(refused).toBeGreaterThan(deeds / 20);
      expect(refused).toBeLessThan(deeds);
    });
  });
}
