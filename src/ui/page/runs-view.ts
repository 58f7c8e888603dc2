import { dedupeKey } from "../../dedupe/dedupe-key.ts";
import type { Listed } from "../../list/index.ts";
import { byId, make, setText, tableOf } from "./elements.ts";
import type { Store } from "./store.ts";
import { briefly, clockTime, count, isolated, many, span } from "./words.ts";

/** The view of the records of cron jobs and deliveries. */
export interface RunsView {
  refresh(): void;
}

type OpenName = (entry: Pick<Listed, "name" | "group" | "kind">) => void;

const MOST_ROWS = 100;
const newest = (a: Listed, b: Listed): number => (b.since ?? 0) - (a.since ?? 0);

function linkTo(entry: Pick<Listed, "name" | "group" | "kind">, text: string, openName: OpenName): HTMLElement {
  const button = make("button", { type: "button", class: "link" }, isolated(text));
  button.addEventListener("click", () => openName(entry));
  return button;
}

function outcomeOf({ outcome, error }: { readonly outcome: string; readonly error?: string }): HTMLElement {
  return make(
    "span",
    { "data-outcome": outcome },
    outcome,
    error === undefined ? "" : ": ",
    isolated(error ?? "", { class: "long" }),
  );
}

function jobsTable(store: Store, openName: OpenName): HTMLElement {
  const now = store.now();
  const { jobs = [], left = 0 } = store.runs ?? {};
  if (!store.runs) return make("p", { class: "quiet" }, "Reading …");
  if (jobs.length === 0) return make("p", { class: "quiet" }, "No job of leasehold/cron has a record here.");
  const rows = jobs.map((job) => {
    const startedAt = Date.parse(job.startedAt);
    const took = job.durationMs === null ? `running for ${span(now - startedAt)}` : briefly(job.durationMs);
    const lock = { name: `cron:${job.name}`, kind: "none" as const };
    return [
      linkTo(lock, job.name, openName),
      outcomeOf(job),
      job.slot,
      clockTime(startedAt, now),
      took,
      `${job.attempt}`,
    ];
  });
  return make(
    "div",
    {},
    tableOf("The most recent run of each job", ["Job", "Outcome", "Slot", "Began", "Took", "Attempt"], rows),
    left > 0 && make("p", { class: "quiet" }, `and ${many(left, "more job", "more jobs")}`),
  );
}

function slotsTable(entries: readonly Listed[], now: number, openName: OpenName): HTMLElement {
  const slots = entries
    .flatMap(({ job, slot, ...entry }) => (job === undefined || slot === undefined ? [] : [{ entry, job, slot }]))
    .sort((a, b) => (a.job === b.job ? (a.slot < b.slot ? 1 : -1) : a.job < b.job ? -1 : 1));
  if (slots.length === 0) return make("p", { class: "quiet" }, "No occurrence is remembered.");
  const rows = slots
    .slice(0, MOST_ROWS)
    .map(({ entry, job, slot }) => [
      isolated(job),
      linkTo(entry, slot, openName),
      make("span", { "data-outcome": entry.state }, entry.state),
      count(entry.attempts ?? 0),
      entry.since === undefined ? "" : clockTime(entry.since, now),
    ]);
  return make(
    "div",
    {},
    tableOf("Occurrences", ["Job", "Slot", "State", "Attempts", "Last attempt"], rows),
    slots.length > MOST_ROWS && make("p", { class: "quiet" }, `and ${count(slots.length - MOST_ROWS)} more`),
  );
}

function deliveriesTable(entries: readonly Listed[], now: number, openName: OpenName): HTMLElement {
  const found = entries.filter(({ sender }) => sender !== undefined).sort(newest);
  if (found.length === 0) return make("p", { class: "quiet" }, "No delivery is remembered.");
  const rows = found.slice(0, MOST_ROWS).map((entry) => {
    const { sender = "" } = entry;
    return [
      isolated(sender),
      linkTo(entry, `${entry.name.slice(sender.length + 1, sender.length + 13)}…`, openName),
      make("span", { "data-outcome": entry.state }, entry.state),
      count(entry.attempts ?? 0),
      entry.since === undefined ? "" : clockTime(entry.since, now),
    ];
  });
  return make(
    "div",
    {},
    tableOf("Deliveries, newest first", ["Sender", "Key", "State", "Attempts", "Last attempt"], rows),
    found.length > MOST_ROWS && make("p", { class: "quiet" }, `and ${count(found.length - MOST_ROWS)} more`),
  );
}

/** Finds a delivery by what its sender gave it, since its name is a digest. */
function lookUp(openName: OpenName): HTMLElement {
  const field = (name: string, words: string, hint: string, isNeeded = true): HTMLElement =>
    make("label", {}, words, make("input", { name, placeholder: hint, required: isNeeded, autocomplete: "off" }));
  const form = make(
    "form",
    { class: "look-up", "aria-label": "Find a delivery" },
    field("sender", "Sender", "github"),
    field("scope", "Scope, or path and query", "/webhooks/github", false),
    field("id", "Id of the delivery", "72d3162e-cc78-…"),
    make("button", {}, "Find"),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const given = new FormData(form);
    const [sender, scope, id] = ["sender", "scope", "id"].map((name) => `${given.get(name)}`.trim());
    const name = await dedupeKey({ sender: sender as string, scope: scope || undefined, id: id as string });
    openName({ name, kind: "once" });
  });
  return form;
}

export function makeRunsView(store: Store, openName: OpenName): RunsView {
  const [jobs, slots, deliveries] = [make("div"), make("div"), make("div")];
  const age = make("p", { class: "quiet small" });
  byId("view-runs").append(
    make("section", { class: "card" }, make("h2", {}, "Jobs"), jobs, age, make("h3", {}, "Occurrences"), slots),
    make("section", { class: "card" }, make("h2", {}, "Deliveries"), lookUp(openName), deliveries),
  );
  let shown = "";
  return {
    refresh() {
      const now = store.now();
      const entries = [...store.rows.values()].filter(({ kind }) => kind === "once");
      setText(age, store.runs ? `Read ${span(now - store.runs.readAt)} ago; again every 10 s.` : "");
      // Made anew only where something changed, so that the focus stays where it is.
      const said = JSON.stringify([store.runs?.jobs, entries]);
      if (said === shown) return;
      shown = said;
      jobs.replaceChildren(jobsTable(store, openName));
      slots.replaceChildren(slotsTable(entries, now, openName));
      deliveries.replaceChildren(deliveriesTable(entries, now, openName));
    },
  };
}
