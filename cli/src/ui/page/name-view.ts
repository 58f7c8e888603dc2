import type { Listed, ListedHolder, ListedWaiter } from "../../../../src/list/index.ts";
import { idOf, type NameReport, type Seen, type Tenure } from "../wire.ts";
import { byId, make, setText, showChildren, tableOf, whole } from "./elements.ts";
import type { Store } from "./store.ts";
import { endWords, legend, timeline, whoOf } from "./timeline.ts";
import { clockTime, count, describe, isolated, kindName, many, span } from "./words.ts";

/** The most rows of a table. */
const MAX_ROWS = 50;

/** Lists the waiters, the first of a queue first. `all` is their number; the table has a limited number of rows. */
function waitingTable(waiting: readonly ListedWaiter[], all: number, now: number): readonly Element[] {
  if (waiting.length === 0) return [];
  const shown = waiting.slice(0, MAX_ROWS);
  const rows = shown.map(({ label, holder, since, mode }, n) => [
    // Only a queue has an order.
    mode === undefined ? count(n + 1) : "",
    label === undefined ? "" : isolated(label),
    holder === undefined ? "" : isolated(holder),
    mode ?? "",
    since === undefined ? "" : span(Math.max(now - since, 0)),
  ]);
  const rest = all - shown.length;
  return [
    make("h3", {}, "Waiters"),
    make("div", { class: "waiters" }, tableOf("Waiters", ["Place", "Label", "Process", "Wants to", "For"], rows)),
    ...(rest > 0 ? [make("p", { class: "quiet small" }, `and ${count(rest)} more`)] : []),
  ];
}

/** One name: its state, its holders, and its history. */
export interface NameView {
  open(entry: Pick<Listed, "name" | "group" | "kind"> | undefined): void;
  /** The ID of the open name; empty for none. */
  opened(): string;
  refresh(): void;
}

const WINDOWS = [
  [60_000, "1 min"],
  [300_000, "5 min"],
  [900_000, "15 min"],
] as const;

/** Why the picture may be incomplete, for a kind. */
const LIMITS: Readonly<Record<string, string>> = {
  once: "Refused deliveries and runs leave no trace; attempts that began are counted.",
};
/** The same for a plain lock, whose waiters are known only to a server that holds their requests. */
const HOLDING =
  "This lists the waiters whose requests the server holds, but not those that poll, for example over TCP.";
const POLLING = "The waiters of this lock poll, so the server does not know them. A fair lock lists its waiters.";

const limitOf = ({ entry, isHolding }: NameReport): string => {
  if (entry?.kind === "lock") return isHolding ? HOLDING : POLLING;
  return LIMITS[entry?.kind ?? ""] ?? "";
};

type Fact = readonly [name: string, value: Node | string | undefined];

/** The facts of an entry, without missing ones. */
function factsOf(entry: Seen, now: number): readonly Fact[] {
  const {
    kind,
    group,
    token,
    since,
    until,
    holds,
    reentryKey,
    label,
    holder,
    waiters,
    attempts,
    count: number,
  } = entry;
  const when = (at: number | undefined): string | undefined => (at === undefined ? undefined : clockTime(at, now));
  const facts: readonly Fact[] = [
    ["Kind", kindName(kind)],
    ["Group", group === undefined ? undefined : isolated(group)],
    ["Token", token > 0 ? make("code", {}, `${token}`) : undefined],
    ["Label", label === undefined ? undefined : isolated(label)],
    ["Holder", holder === undefined ? undefined : isolated(holder)],
    ["Job", entry.job === undefined ? undefined : isolated(entry.job)],
    ["Slot", entry.slot === undefined ? undefined : isolated(entry.slot)],
    ["Sender", entry.sender === undefined ? undefined : isolated(entry.sender)],
    [
      "Re-entry key",
      reentryKey === undefined ? undefined : make("code", { title: "The hash of the re-entry key" }, reentryKey),
    ],
    ["Since", when(since)],
    [entry.held ? "Lease until" : "Remembered until", when(until)],
    ["Remembered until", entry.held ? when(entry.rememberedUntil) : undefined],
    ["Fence has seen", entry.fence === undefined ? undefined : make("code", {}, `${entry.fence}`)],
    ["Fence cannot be read", entry.unreadableFence],
    kind === "semaphore" && entry.held
      ? ["Permits in use", number === undefined ? count(holds) : `${count(holds)} of ${count(number)}`]
      : ["Holders", holds > 1 ? count(holds) : undefined],
    ["Waiting", waiters ? count(waiters) : undefined],
    ["Attempts", attempts === undefined ? undefined : count(attempts)],
    [kind === "latch" ? "To go" : "Number", number === undefined ? undefined : count(number)],
  ];
  return facts.filter(([, value]) => value !== undefined);
}

/** The button that releases the permits of one holder; nothing for holders without permits. */
function releaseButton({ permits, token }: ListedHolder): Node | string {
  if (permits === undefined || token === undefined) return "";
  const label = `Release the permits of token ${token}`;
  return make(
    "button",
    { type: "button", class: "danger small whole", "data-token": token, "aria-label": label },
    "Release …",
  );
}

/** The holder whose button was clicked, as it is now. */
function clickedHolder({ target }: Event, entry: Seen | undefined): ListedHolder | undefined {
  const { token } = (target as Element).closest<HTMLElement>("[data-token]")?.dataset ?? {};
  return entry?.holders?.find((each) => `${each.token}` === token);
}

function holdersTable(holders: readonly ListedHolder[], now: number, canRelease: boolean): HTMLElement {
  const rows = holders.map((each) => {
    const { since, until, label, holder, permits, token, mode } = each;
    return [
      label === undefined ? "" : isolated(label),
      holder === undefined ? "" : isolated(holder),
      whole(permits !== undefined ? many(permits, "permit") : (mode ?? "")),
      token === undefined ? "" : make("code", {}, `${token}`),
      whole(since === undefined ? "" : span(now - since)),
      whole(until > now ? span(until - now) : "expired"),
      canRelease ? releaseButton(each) : "",
    ];
  });
  return tableOf("Current holders", ["Label", "Holder", "Holds", "Token", "For", "Left", "Release"], rows);
}

function tenuresTable(tenures: readonly Tenure[], now: number): HTMLElement {
  const rows = tenures
    .slice(-MAX_ROWS)
    .reverse()
    .map((tenure) => {
      const { token, since, isExact, ended, endedAt = now, extendedAt } = tenure;
      const who = whoOf(tenure);
      const extended = extendedAt.length > 0 ? `, extended ${extendedAt.length} ×` : "";
      return [
        `${isExact ? "" : "before "}${clockTime(since, now)}`,
        who === "" ? "" : isolated(who),
        token === undefined ? "" : make("code", {}, `${token}`),
        `${span(endedAt - since)}${extended}`,
        ended === undefined
          ? "still held"
          : `${endWords[ended] ?? ended}${ended === "here" ? ` at ${clockTime(endedAt, now)}` : ""}`,
      ];
    });
  return tableOf("Tenures seen, newest first", ["From", "Holder", "Token", "For", "End"], rows);
}

/** The parts of the view that change. */
interface Parts {
  readonly summary: HTMLElement;
  readonly facts: HTMLElement;
  readonly holders: HTMLElement;
  readonly picture: HTMLElement;
  readonly table: HTMLElement;
  readonly note: HTMLElement;
  readonly release: HTMLButtonElement;
}

function windowChoice(changed: () => void): HTMLElement {
  const choices = WINDOWS.map(([ms, words], n) =>
    make(
      "label",
      {},
      make("input", { type: "radio", name: "window", value: ms, checked: n === 0 }),
      make("span", {}, words),
    ),
  );
  const set = make("fieldset", { class: "choice" }, make("legend", { class: "hidden" }, "Time span"), ...choices);
  set.addEventListener("change", changed);
  return set;
}

function build(section: HTMLElement, title: HTMLElement, close: () => void, changed: () => void): Parts {
  const parts: Parts = {
    summary: make("p", { class: "summary" }),
    facts: make("dl"),
    holders: make("div"),
    picture: make("div", { class: "picture" }),
    table: make("div", { class: "wide" }),
    note: make("p", { class: "quiet small" }),
    release: make("button", { type: "button", class: "danger", id: "release" }, "Release …"),
  };
  const back = make("button", { type: "button", id: "close" }, "Close");
  back.addEventListener("click", close);
  const over = make("div", { class: "over" }, make("h3", {}, "Over time"), windowChoice(changed));
  section.replaceChildren(
    make("div", { class: "over" }, title, back),
    parts.summary,
    parts.release,
    parts.facts,
    parts.holders,
    over,
    parts.picture,
    legend(),
    parts.note,
    parts.table,
  );
  return parts;
}

/** Describes the name, and whether its last tenure was released here. */
function summaryOf({ entry, history }: NameReport, now: number): string {
  const said = entry ? describe(entry, now) : "Nothing is stored under this name at the moment.";
  const last = history.tenures.findLast(({ ended }) => ended !== undefined);
  if (last?.ended !== "here") return said;
  return `${said} Token ${last.token ?? ""} was released here at ${clockTime(last.endedAt ?? now, now)}.`;
}

function showFacts(parts: Parts, report: NameReport, now: number, canRelease: boolean): void {
  const { entry } = report;
  setText(parts.summary, summaryOf(report, now));
  const facts = entry ? factsOf(entry, now) : [];
  showChildren(
    parts.facts,
    facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value as string)]),
  );
  const holders = entry?.holders ?? [];
  const isWorth = holders.length > 1 || entry?.kind === "semaphore" || entry?.state === "read";
  showChildren(parts.holders, [
    ...(isWorth && holders.length > 0 ? [make("h3", {}, "Holders"), holdersTable(holders, now, canRelease)] : []),
    ...waitingTable(entry?.waiting ?? [], entry?.waiters ?? 0, now),
  ]);
}

/** Asks whether to release an entry, or the permits of one of its holders. */
type AskRelease = (entry: Listed, holder?: ListedHolder) => void;

export function makeNameView(store: Store, askRelease: AskRelease, closed: () => void): NameView {
  const section = byId("name");
  let target: Pick<Listed, "name" | "group" | "kind"> | undefined;
  let parts: Parts | undefined;
  const opened = (): string => (target ? idOf(target) : "");

  /** The entry from the last read of the name, otherwise from the list. */
  function reportNow(): NameReport | undefined {
    const { report } = store;
    return report?.id === opened() ? report : undefined;
  }

  function refresh(): void {
    if (!target || !parts) return;
    const now = store.now();
    const report = reportNow();
    if (!report) return;
    const { tenures } = report.history;
    const canRelease = store.hello?.canRelease === true;
    const selection = getSelection();
    // Selected text may be about to be copied, so it is not changed.
    const isSelecting = selection?.isCollapsed === false && section.contains(selection.anchorNode);
    if (!isSelecting) {
      showFacts(parts, report, now, canRelease);
      showChildren(parts.table, tenures.length > 0 ? [tenuresTable(tenures, now)] : []);
    }
    const chosen = section.querySelector<HTMLInputElement>("[name=window]:checked")?.value;
    const width = Math.max(parts.picture.clientWidth, 200);
    parts.picture.replaceChildren(timeline(report, width, now, Number(chosen)));
    setText(parts.note, `The name is read once a second, so a shorter tenure may be missed. ${limitOf(report)}`);
    parts.release.hidden = !(canRelease && report.entry?.held);
  }

  return {
    opened,
    refresh,
    open(next) {
      if (next && opened() === idOf(next)) return;
      target = next;
      section.hidden = !next;
      document.body.classList.toggle("with-name", next !== undefined);
      if (!next) return;
      const title = make("h2", { id: "name-title", tabindex: -1 }, isolated(next.name));
      parts = build(section, title, closed, refresh);
      setText(parts.summary, "Reading …");
      parts.release.addEventListener("click", () => {
        const entry = reportNow()?.entry;
        if (entry) askRelease(entry);
      });
      parts.holders.addEventListener("click", (event) => {
        const entry = reportNow()?.entry;
        const holder = clickedHolder(event, entry);
        if (entry && holder) askRelease(entry, holder);
      });
      title.focus({ preventScroll: true });
      refresh();
    },
  };
}
