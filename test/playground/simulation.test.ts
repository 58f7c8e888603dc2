import { describe, expect, it } from "vitest";
import { fromAddress, toAddress } from "../../docs/playground/address.ts";
import { nickname } from "../../docs/playground/history.ts";
import { draw } from "../../docs/playground/picture.ts";
import { createSimulation, type Simulation } from "../../docs/playground/simulation.ts";

/** Plays what an address says, up to a second. */
async function play(address: string, seconds: number): Promise<Simulation> {
  const run = await createSimulation(fromAddress(address));
  while (run.seconds < seconds) await run.advance();
  return run;
}

const told = ({ history }: Simulation): string => history.notes.map(({ text }) => text).join("\n");

describe("a run of the playground", () => {
  it("runs without input: the instances take turns under rising tokens, and every write is accepted", async () => {
    const { history } = await play("", 22);
    const writes = history.writes.filter(({ value }) => value !== undefined);
    expect(new Set(writes.map(({ who }) => who))).toEqual(new Set(["A", "B"]));
    expect(writes.filter(({ refusedFor }) => refusedFor !== undefined)).toEqual([]);
    expect(history.tokens).toEqual([...history.tokens].sort((one, two) => one - two));
    for (const [index, { from }] of history.tenures.entries())
      expect(from).toBeGreaterThanOrEqual(history.tenures[index - 1]?.to ?? 0);
  });

  it("refuses the late write of a holder that froze, and keeps the newer value", async () => {
    const run = await play("do=freeze-A@1.2", 9);
    expect(run.instance("A")).toMatchObject({ state: "frozen", lease: { over: undefined } });
    expect(run.instance("A").lease?.remaining).toBeGreaterThan(6);
    expect(run.server.holder?.who).toBe("B");
    while (run.seconds < 13) await run.advance();
    const refused = run.history.writes.filter(({ refusedFor }) => refusedFor !== undefined);
    expect(refused).toMatchObject([{ who: "A", value: "A, round 1" }]);
    expect(nickname(run.history, refused[0]?.refusedFor ?? 0)).toBe("#2");
    expect(run.server.fence?.value).toBe("B, round 1");
    expect(told(run)).toContain("The fence refuses A's write: its token #1 is lower than #2");
  });

  it("gives a lost answer again, to the same token", async () => {
    const run = await play("do=lose-A@0", 3);
    expect(run.history.exchanges.filter(({ lostAt }) => lostAt !== undefined)).toMatchObject([{ verdict: "granted" }]);
    expect(run.history.tokens).toHaveLength(1);
    expect(run.instance("A").lease?.token).toBe(run.history.tokens[0]);
  });

  it("counts a write whose answer was lost once, although it is sent twice", async () => {
    const { history } = await play("do=lose-A@3.5", 5);
    const [exchange] = history.exchanges.filter(({ lostAt }) => lostAt !== undefined);
    expect(exchange).toMatchObject({ to: "resource", verdict: "written" });
    expect(history.writes.map(({ value }) => value)).toEqual([undefined, "A, round 1"]);
    expect(history.notes.map(({ text }) => text).join()).toContain("A retries its write under the same ID");
  });

  it("lets the lease of a dead holder end by itself, and starts it again", async () => {
    const run = await play("do=kill-A@2,start-A@14", 12);
    expect(run.instance("A").state).toBe("dead");
    expect(run.history.tenures).toMatchObject([{ who: "A", to: 8.2 }, { who: "B" }]);
    while (run.seconds < 16) await run.advance();
    expect(run.instance("A").state).toBe("runs");
    expect(run.history.tenures.filter(({ who }) => who === "A").length).toBeGreaterThan(1);
  });

  it("shows that a clock step ends a lease before its holder knows, and that tokens still rise", async () => {
    const ahead = await play("do=clock-forward@1", 3);
    expect(ahead.server).toMatchObject({ ahead: 10, holder: { who: "B" } });
    expect(ahead.instance("A").lease?.remaining).toBeGreaterThan(4);
    const behind = await play("do=clock-back@2", 8);
    const [first = 0, second = 0] = behind.history.tokens;
    expect(second).toBe(first + 1);
  });

  it("is the same again when what was done by hand stands in the address", async () => {
    const END = 16;
    const plan = "seed=42&do=freeze-A@1.2,lose-B@4,clock-back@8.8,kill-B@9.5,start-B@12";
    const pictureOf = ({ history }: Simulation): string =>
      draw(history, { width: 1000, pitch: 116, isNarrow: false, now: END, shown: END });
    const run = await play(plan, END);
    const byHand = await createSimulation({ seed: 42, deeds: [] });
    while (byHand.seconds < END) {
      for (const { action, tick } of fromAddress(plan).deeds) if (tick === byHand.tick) byHand.act(action);
      await byHand.advance();
    }
    expect(toAddress(byHand)).toBe(plan);
    expect(told(byHand)).toBe(told(run));
    expect(byHand.history.tokens).toEqual(run.history.tokens);
    expect(pictureOf(byHand)).toBe(pictureOf(run));
    const sendings = ({ history }: Simulation): number[] => history.exchanges.map(({ sentAt }) => sentAt);
    expect(sendings(await play("seed=43", 5))).not.toEqual(sendings(await play("seed=42", 5)));
  });

  it("leaves out what it does not understand in an address", () => {
    expect(fromAddress("#seed=x&do=melt-A@1,freeze-A@soon,freeze-A,freeze-B@3&at=-1")).toEqual({
      isUnfenced: false,
      seed: 1,
      deeds: [{ action: "freeze-B", tick: 30 }],
      at: undefined,
    });
  });
});
