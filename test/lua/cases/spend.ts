import { type Case, CROWD, id, RECORD, type Scene, type Told } from "./case.ts";

const SECOND = 1_000_000;
type More = Readonly<Record<string, string | number>>;

const of = (who: string): string => id(who[0] ?? "") + who.slice(1);
const take = (scene: Scene, who: string, status = "granted", parts?: More, more?: More, ...keys: string[]): Told =>
  scene.expect(
    "semaphore-acquire",
    { id: of(who), kind: "semaphore", permits: "", ...more },
    status,
    parts,
    ...(keys.length > 0 ? keys : [RECORD, CROWD]),
  );
const tokenOf = (told: Told): number => Number(told["token"]);
const close = (scene: Scene, who: string, token: number, status = "closed", parts?: More, more?: More): Told =>
  scene.expect("semaphore-close", { id: of(who), token, ...more }, status, parts);
const extend = (scene: Scene, who: string, token: number, status = "extended", parts?: More): Told =>
  scene.expect("crowd-extend", { id: of(who), token, duration: 20_000 }, status, parts);
const set = (scene: Scene, who: string, change: string, count: number, status = "done", ...keys: string[]): Told =>
  scene.expect(
    "semaphore-set",
    { id: of(who), kind: "semaphore", change, count },
    status,
    {},
    ...(keys.length > 0 ? keys : [RECORD, CROWD]),
  );

/** What is spent of one name: whose hold, its token and how many; the number without one that was set; its ttl. */
type Spend = readonly [who: string, token: number, count: number, initial?: number | "", ttl?: number];
const argsOf = (spends: readonly Spend[]): string =>
  spends.map(([who, token, count, initial = "", ttl = 0]) => [of(who), token, count, initial, ttl].join(" ")).join(" ");
const spend = (scene: Scene, one: Spend, status = "spent", parts?: More, more?: More): Told =>
  scene.expect("semaphore-spend", { spends: argsOf([one]), ...more }, status, parts, RECORD, CROWD);
const both = (scene: Scene, spends: readonly [Spend, Spend], status = "spent", parts?: More): Told =>
  scene.expect("semaphore-spend", { spends: argsOf(spends) }, status, parts, RECORD, CROWD, "record2", "crowd2");

/** The number of permits, and how many are in use. */
function counts(scene: Scene, permits: number | "", used: number, ...[record = RECORD, crowd = CROWD]: string[]): void {
  const told = scene.expect("crowd-inspect", { kind: "semaphore" }, "live", {}, record, crowd);
  const [number] = String(told["body"]).slice(1).split(" ");
  scene.same("the permits and those in use", [number, told["many"]], [String(permits), used]);
}
const members = (scene: Scene): string[] => (scene.redis("ZRANGE", CROWD, "0", "-1") as string[]).sort();

/** A stock of ten, of which `a` has reserved three. */
function reserved(scene: Scene): number {
  set(scene, "s", "set", 10);
  return tokenOf(take(scene, "a#3"));
}

const single: readonly Case[] = [
  {
    what: "a spend lowers the number by what is spent, and the rest returns (51.3)",
    run(scene) {
      const token = reserved(scene);
      counts(scene, 10, 3);
      spend(scene, ["a#3", token, 2]);
      counts(scene, 8, 0);
      take(scene, "b#9", "short", { permits: 8 });
      const next = tokenOf(take(scene, "b#8"));
      take(scene, "c#1", "held");
      spend(scene, ["b#8", next, 8]);
      counts(scene, 0, 0);
      // No permits are a pause: deliveries end it.
      take(scene, "c#1", "held", { remaining: 0 });
      set(scene, "d", "add", 5);
      take(scene, "c#5");
    },
  },
  {
    what: "a spend of none returns every permit, and one of all returns none (51.3)",
    run(scene) {
      const token = reserved(scene);
      spend(scene, ["a#3", token, 0]);
      counts(scene, 10, 0);
      scene.same("the members", members(scene), [`t${id("a")}`, `t${id("s")}`]);
      spend(scene, ["a#3", token, 0]);
      spend(scene, ["a#3", token, 1], "lost", { reason: "spent", names: "1 " });
      const next = tokenOf(take(scene, "b#3"));
      spend(scene, ["b#3", next, 3]);
      counts(scene, 7, 0);
      spend(scene, ["b#3", next, 0], "lost", { reason: "spent" });
    },
  },
  {
    what: "a spend is made once, and its duplicate gets the same answer (51.3)",
    run(scene) {
      const { at, same } = scene;
      const token = reserved(scene);
      spend(scene, ["a#3", token, 2]);
      for (const ms of [0, 1000, 59_999]) {
        at(ms);
        spend(scene, ["a#3", token, 2]);
        counts(scene, 8, 0);
      }
      spend(scene, ["a#3", token, 3], "lost", { reason: "spent", names: "1 " });
      spend(scene, ["a#3", token, 1], "lost", { reason: "spent" });
      // Nor does any other request change it.
      close(scene, "a#3", token, "lost", { reason: "spent" });
      close(scene, "a#3", 0);
      extend(scene, "a#3", token, "lost", { reason: "spent" });
      take(scene, "a#3", "closed");
      scene.expect("semaphore-queue", { id: of("a#3"), permits: "", ticket: 0 }, "closed");
      spend(scene, ["a#3", token, 2]);
      counts(scene, 8, 0);
      // It is forgotten after the retention.
      at(60_001);
      take(scene, "b#1");
      same(
        "the members",
        members(scene).map((each) => each.slice(0, 2)),
        ["bb", "tb"],
      );
      spend(scene, ["a#3", token, 2], "lost", { reason: "gone" });
      counts(scene, 8, 1);
    },
  },
  {
    what: "a spend is remembered for as long as a request of its acquisition may arrive (51.3)",
    run(scene) {
      const { at, now } = scene;
      const token = reserved(scene);
      spend(scene, ["a#3", token, 2], "spent", {}, { due: now() + 100 * SECOND });
      at(99_000);
      take(scene, "b#1");
      take(scene, "a#3", "closed", {}, { notAfter: now() + SECOND });
      spend(scene, ["a#3", token, 2]);
      counts(scene, 8, 1);
    },
  },
  {
    what: "a spend that arrives after its deadline changes nothing (51.3)",
    run(scene) {
      const token = reserved(scene);
      spend(scene, ["a#3", token, 2], "late", {}, { notAfter: scene.now() - 1 });
      counts(scene, 10, 3);
      spend(scene, ["a#3", token, 2], "spent", {}, { notAfter: scene.now() });
    },
  },
  {
    what: "a spend after the lease changes nothing, whoever has the permits (51.3)",
    run(scene) {
      const { at } = scene;
      const token = reserved(scene);
      at(9999.999);
      take(scene, "b#7");
      take(scene, "c#1", "held");
      at(10_000);
      spend(scene, ["a#3", token, 2], "lost", { reason: "expired", names: "1 " });
      at(10_001);
      counts(scene, 10, 7);
      take(scene, "c#3");
      spend(scene, ["a#3", token, 2], "lost", { reason: "expired" });
      spend(scene, ["a#3", token, 0], "lost", { reason: "expired" });
      counts(scene, 10, 10);
      // Also after the clock was set back: the grant that followed has closed the ID.
      at(5000);
      spend(scene, ["a#3", token, 2], "lost", { reason: "expired" });
    },
  },
  {
    what: "a spend after a release, a cancel or a force changes nothing (51.3)",
    run(scene) {
      const token = reserved(scene);
      close(scene, "a#3", token);
      spend(scene, ["a#3", token, 2], "lost", { reason: "released", names: "1 " });
      take(scene, "b#3");
      close(scene, "b#3", 0);
      spend(scene, ["b#3", token + 1, 2], "lost", { reason: "released" });
      const next = tokenOf(take(scene, "c#3"));
      counts(scene, 10, 3);
      scene.expect("crowd-force", { id: id("f"), kind: "semaphore" }, "forced", { had: 1 });
      spend(scene, ["c#3", next, 2], "lost", { reason: "forced" });
      // A spend that was made before stays made.
      set(scene, "t", "set", 10);
      const last = tokenOf(take(scene, "d#3"));
      spend(scene, ["d#3", last, 1]);
      scene.expect("crowd-force", { id: id("g"), kind: "semaphore" }, "forced", { had: 1 });
      spend(scene, ["d#3", last, 1]);
    },
  },
  {
    what: "a spend needs the ID and the token of the hold (51.3)",
    run(scene) {
      const token = reserved(scene);
      spend(scene, ["a#3", token + 1, 2], "lost", { reason: "gone", names: "1 " });
      spend(scene, ["a#3", token - 1, 2], "lost", { reason: "gone" });
      spend(scene, ["a#3", 0, 2], "lost", { reason: "gone" });
      spend(scene, ["b#3", token, 2], "lost", { reason: "gone" });
      spend(scene, ["a", token, 0], "lost", { reason: "gone" });
      counts(scene, 10, 3);
      extend(scene, "a#3", token);
    },
  },
  {
    what: "permits released before cannot be spent, and the others stay held (51.3)",
    run(scene) {
      const token = reserved(scene);
      close(scene, `a#3,${id("r")},2`, token);
      counts(scene, 10, 2);
      spend(scene, ["a#3", token, 3], "lost", { reason: "released", names: "1 " });
      counts(scene, 10, 2);
      extend(scene, "a#3", token, "extended", { holds: 2 });
      spend(scene, ["a#3", token, 2]);
      counts(scene, 8, 0);
      close(scene, `a#3,${id("q")},1`, token, "lost");
      counts(scene, 8, 0);
    },
  },
  {
    what: "an extended hold is spent within its new end (51.3)",
    run(scene) {
      const { at } = scene;
      const token = reserved(scene);
      at(9000);
      extend(scene, "a#3", token);
      at(28_000);
      spend(scene, ["a#3", token, 3]);
      counts(scene, 7, 0);
      spend(scene, ["a#3", token, 3]);
    },
  },
  {
    what: "a spend and changes of the number add up, in every order (51.3)",
    run(scene) {
      const token = reserved(scene);
      const next = tokenOf(take(scene, "b#4"));
      set(scene, "c", "add", 5);
      spend(scene, ["a#3", token, 3]);
      counts(scene, 12, 4);
      set(scene, "d", "add", -2);
      counts(scene, 10, 4);
      // A smaller number takes no permit from a holder, and a holder may spend its own.
      set(scene, "e", "set", 1);
      spend(scene, ["b#4", next, 4]);
      counts(scene, -3, 0);
      take(scene, "f#1", "held", { remaining: 0 });
      scene.expect("name-inspect", {}, "live");
      set(scene, "g", "add", 5);
      take(scene, "f#2");
      set(scene, "h", "set", -(2 ** 53 - 1));
      spend(scene, ["f#2", tokenOf(take(scene, "f#2")), 2]);
      counts(scene, -(2 ** 53 - 1), 0);
    },
  },
  {
    what: "what was drained is not for sale, and what is reserved then is spent (51.3)",
    run(scene) {
      const token = reserved(scene);
      set(scene, "d", "drain", 0);
      counts(scene, 3, 3);
      spend(scene, ["a#3", token, 2]);
      counts(scene, 1, 0);
    },
  },
  {
    what: "the caller's own number counts until one is set, and is set by the first spend (51.3)",
    run(scene) {
      const { ttl, same } = scene;
      const token = tokenOf(take(scene, "a#3", "granted", {}, { permits: 5 }));
      const next = tokenOf(take(scene, "b#1", "granted", {}, { permits: 5 }));
      same("the time to live", [ttl(), ttl(CROWD)], [70_000, 70_000]);
      spend(scene, ["a#3", token, 2], "unset", { names: "1 " });
      counts(scene, "", 4);
      spend(scene, ["a#3", token, 2, 5, 200_000]);
      counts(scene, 3, 1);
      same("the times to live", [ttl(), ttl(CROWD)], [260_000, 260_000]);
      // Then the caller's own number does not count.
      spend(scene, ["b#1", next, 1, 5, 100_000]);
      counts(scene, 2, 0);
      same("the times to live", [ttl(), ttl(CROWD)], [260_000, 260_000]);
    },
  },
  {
    what: "without the record, a spend says that no number is known, and changes nothing (51.3)",
    run(scene) {
      const token = reserved(scene);
      scene.redis("DEL", RECORD);
      spend(scene, ["a#3", token, 2, 10, 1000], "unset", { names: "1 " });
      scene.same("the members", members(scene).length, 5);
      // The stock is set again, from where it is known.
      set(scene, "t", "set", 10);
      spend(scene, ["a#3", token, 2]);
      counts(scene, 8, 0);
    },
  },
  {
    what: "without the crowd, or with nothing left, a spend finds no hold (51.3)",
    run(scene) {
      const token = reserved(scene);
      scene.redis("DEL", CROWD);
      spend(scene, ["a#3", token, 2], "lost", { reason: "gone", names: "1 " });
      counts(scene, 10, 0);
      scene.redis("DEL", RECORD);
      spend(scene, ["a#3", token, 2], "lost", { reason: "gone" });
      scene.same("the keys", scene.redis("DBSIZE"), 0);
    },
  },
  {
    what: "a name that another kind has now is not spent (51.3)",
    run(scene) {
      const { at } = scene;
      const token = tokenOf(take(scene, "a#1", "granted", {}, { permits: 5, lease: 1000 }));
      at(1000);
      scene.expect("fair-acquire", { id: id("l"), kind: "fair" }, "granted", {}, RECORD, CROWD);
      spend(scene, ["a#1", token, 1, 5, 1000], "lost", { names: "1 " });
      scene.expect("fair-acquire", { id: id("l"), kind: "fair" }, "granted", {}, RECORD, CROWD);
    },
  },
  {
    what: "a spend works when memory is full, and not on a replica (51.3)",
    run(scene) {
      const token = reserved(scene);
      scene.setFull(true);
      spend(scene, ["a#3", token, 2]);
      scene.setFull(false);
      counts(scene, 8, 0);
      const next = tokenOf(take(scene, "b#2"));
      scene.setReadOnly(true);
      const told = scene.call("semaphore-spend", { spends: argsOf([["b#2", next, 2]]) }, RECORD, CROWD);
      scene.same("the status", told["status"], "error");
      scene.setReadOnly(false);
      counts(scene, 8, 2);
    },
  },
  {
    what: "a spent hold counts as a tenure in the averages by which waiters time their polls (51.3)",
    run(scene) {
      const { at } = scene;
      set(scene, "s", "set", 1);
      const token = tokenOf(take(scene, "a#1"));
      at(800);
      spend(scene, ["a#1", token, 0]);
      const next = tokenOf(take(scene, "b#1"));
      take(scene, "c#1", "held", { tenure: 0.8 * SECOND });
      at(2400);
      spend(scene, ["b#1", next, 0]);
      take(scene, "d#1");
      take(scene, "c#1", "held", { tenure: 0.9 * SECOND });
      // Not a negative one, after the clock was set back.
      spend(scene, ["d#1", tokenOf(take(scene, "d#1")), 0]);
      at(-20_000);
      const last = tokenOf(take(scene, "e#1"));
      spend(scene, ["e#1", last, 0]);
      take(scene, "f#1");
      take(scene, "c#1", "held", { tenure: 0 });
    },
  },
  {
    what: "the first in a queue gets what a spend returns, and learns when too few are left (51.3)",
    run(scene) {
      set(scene, "s", "set", 3);
      const token = tokenOf(take(scene, "a#3"));
      const ask = (who: string, ticket: number, status: string, parts?: More): Told =>
        scene.expect("semaphore-queue", { id: of(who), permits: "", ticket }, status, parts);
      const first = ask("b#2", 0, "held", { ahead: 0 });
      const second = ask("c#1", 0, "held", { ahead: 1 });
      spend(scene, ["a#3", token, 2]);
      ask("b#2", Number(first["ticket"]), "short", { permits: 1 });
      close(scene, "b#2", 0);
      ask("c#1", Number(second["ticket"]), "granted");
    },
  },
  {
    what: "a spend forgets what need not be remembered (51.3)",
    run(scene) {
      const { at, same } = scene;
      set(scene, "s", "set", 10);
      const token = tokenOf(take(scene, "a#2@shown", "granted", {}, { lease: 100_000 }));
      close(scene, "b#1", tokenOf(take(scene, "b#1")));
      at(1000);
      close(scene, "c#1", tokenOf(take(scene, "c#1")));
      at(60_500);
      spend(scene, ["a#2@shown", token, 1]);
      const left = members(scene).map((each) => each.slice(0, 2));
      same("the members", left, ["na", "ta", "tc"]);
      counts(scene, 9, 0);
    },
  },
];

/** Two stocks of ten, of which `a` has reserved three of one, and `b` two of the other. */
function bothReserved(scene: Scene): readonly [number, number] {
  set(scene, "s", "set", 10, "done", "record2", "crowd2");
  return [reserved(scene), tokenOf(take(scene, "b#2", "granted", {}, {}, "record2", "crowd2"))];
}
const second = ["record2", "crowd2"] as const;

const together: readonly Case[] = [
  {
    what: "several names are spent together, each by its own count (51.3)",
    run(scene) {
      const [one, two] = bothReserved(scene);
      both(scene, [
        ["a#3", one, 3],
        ["b#2", two, 1],
      ]);
      counts(scene, 7, 0);
      counts(scene, 9, 0, ...second);
      for (let n = 0; n < 2; n++)
        both(scene, [
          ["a#3", one, 3],
          ["b#2", two, 1],
        ]);
      counts(scene, 7, 0);
      counts(scene, 9, 0, ...second);
      both(
        scene,
        [
          ["a#3", one, 3],
          ["b#2", two, 2],
        ],
        "lost",
        { reason: "spent", names: "2 " },
      );
    },
  },
  {
    what: "of several names, one that is lost keeps all others unspent and held (51.3)",
    run(scene) {
      const [one, two] = bothReserved(scene);
      scene.expect("semaphore-close", { id: of("b#2"), token: two }, "closed", {}, ...second);
      both(
        scene,
        [
          ["a#3", one, 3],
          ["b#2", two, 1],
        ],
        "lost",
        { reason: "released", names: "2 " },
      );
      counts(scene, 10, 3);
      counts(scene, 10, 0, ...second);
      both(
        scene,
        [
          ["a#3", one + 1, 3],
          ["b#2", two, 1],
        ],
        "lost",
        { reason: "gone", names: "1 2 " },
      );
      spend(scene, ["a#3", one, 3]);
    },
  },
  {
    what: "of several names, one without a number keeps all others unspent and held (51.3)",
    run(scene) {
      const one = reserved(scene);
      const two = tokenOf(take(scene, "b#2", "granted", {}, { permits: 4 }, ...second));
      both(
        scene,
        [
          ["a#3", one, 3],
          ["b#2", two, 2],
        ],
        "unset",
        { names: "2 " },
      );
      counts(scene, 10, 3);
      counts(scene, "", 2, ...second);
      both(
        scene,
        [
          ["a#3", one + 1, 3],
          ["b#2", two, 2],
        ],
        "lost",
        { names: "1 " },
      );
      both(scene, [
        ["a#3", one, 3],
        ["b#2", two, 2, 4, 1000],
      ]);
      counts(scene, 7, 0);
      counts(scene, 2, 0, ...second);
    },
  },
  {
    what: "a name that was spent before by itself, as asked, does not keep the others from it (51.3)",
    run(scene) {
      const [one, two] = bothReserved(scene);
      spend(scene, ["a#3", one, 3]);
      both(scene, [
        ["a#3", one, 3],
        ["b#2", two, 2],
      ]);
      counts(scene, 7, 0);
      counts(scene, 8, 0, ...second);
    },
  },
];

export const spendCases: readonly Case[] = [...single, ...together];
