import type { LastRun } from "../../../../src/cron/last-run.ts";
import { dedupeKey } from "../../../../src/dedupe/dedupe-key.ts";
import type { Listed } from "../../../../src/list/index.ts";
import { idOf } from "../wire.ts";
import { byId, make, setText, showChildren, tableOf, whole } from "./elements.ts";
import type { Store } from "./store.ts";
import { briefly, clockTime, count, isolated, many, span } from "./words.ts";

/** The view of the records of cron jobs and deliveries. */
export interface RunsView {
  refresh(): void;
}

type OpenName = (entry: Pick<Listed, "name" | "group" | "kind">) => void;

const MAX_ROWS = 100;
/** The length of an instant. A longer slot may be wrapped. */
const LONGEST_WHOLE = 24;
const newest = (a: Listed, b: Listed): number => (b.since ?? 0) - (a.since ?? 0);

function linkTo(
  entry: Pick<Listed, "name" | "group" | "kind">,
  text: string,
  openName: OpenName,
  look = "long",
): HTMLElement {
  const button = make(
    "button",
    { type: "button", class: "link", "data-id": idOf(entry) },
    isolated(text, { class: look }),
  );
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

/** An instant in a slot; slots can be any text. */
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const SAME_STEP_MS = 1000;
const MIN_SLOTS = 3;

/** When the next run is due, if the remembered slots of a job are instants at equal intervals. */
function nextAfter(slots: readonly string[]): { readonly at: number; readonly stepMs: number } | undefined {
  const times = slots.filter((slot) => INSTANT.test(slot)).map((slot) => Date.parse(slot));
  const last = [...new Set(times)].sort((a, b) => b - a).slice(0, MIN_SLOTS);
  const [latest = 0, before = 0, first = 0] = last;
  const stepMs = latest - before;
  if (last.length < MIN_SLOTS || Math.abs(before - first - stepMs) > SAME_STEP_MS) return undefined;
  return { at: latest + stepMs, stepMs };
}

/** When the next run of a job is due: from its record, or by the interval of its last slots. */
function nextOf({ name, next }: LastRun, store: Store, now: number): HTMLElement | string {
  const slots = [...store.rows.values()].flatMap(({ job, slot }) => (job === name && slot !== undefined ? [slot] : []));
  const guess = next === undefined ? nextAfter(slots) : undefined;
  const at = next === undefined ? guess?.at : Date.parse(next);
  if (at === undefined) return "";
  const isLate = at < now;
  const title = guess ? `Estimated: the last slots were ${span(guess.stepMs)} apart` : "By the job's schedule";
  return make(
    "span",
    { title, "data-outcome": isLate ? "failed" : undefined },
    `${clockTime(at, now)}${isLate ? `, ${span(now - at)} overdue` : ""}`,
  );
}

function jobsTable(store: Store, openName: OpenName): HTMLElement {
  const now = store.now();
  const { jobs = [], left = 0 } = store.runs ?? {};
  if (!store.runs) return make("p", { class: "quiet" }, "Reading …");
  if (jobs.length === 0) return make("p", { class: "quiet" }, "No job of leasehold/cron has a record here.");
  const rows = jobs.map((job) => {
    const startedAt = Date.parse(job.startedAt);
    const took = job.durationMs === null ? `${span(now - startedAt)} so far` : briefly(job.durationMs);
    const lock = { name: `cron:${job.name}`, kind: "none" as const };
    return [
      linkTo(lock, job.name, openName),
      outcomeOf(job),
      // An instant is not wrapped; other slots can be long.
      isolated(job.slot, { class: INSTANT.test(job.slot) ? "whole" : "long" }),
      nextOf(job, store, now),
      clockTime(startedAt, now),
      whole(took),
      `${job.attempt}`,
    ];
  });
  return make(
    "div",
    {},
    tableOf("The most recent run of each job", ["Job", "Outcome", "Slot", "Next", "Began", "Took", "Attempt"], rows),
    left > 0 && make("p", { class: "quiet" }, `and ${many(left, "more job", "more jobs")}`),
  );
}

/** The record of a `once`, its name there, and what it belongs to. */
interface Turn {
  readonly entry: Listed;
  readonly of: string;
  readonly called: string;
}

/** The progress of a turn. It has failed if all its attempts have ended without a result. */
function stateOf({ state, attempts = 0 }: Listed): HTMLElement {
  const isFailed = state === "idle" && attempts > 0;
  return make("span", { "data-outcome": isFailed ? "failed" : state }, isFailed ? "failed, may run again" : state);
}

/** A table of turns with their progress. */
function turnsTable(
  title: string,
  heads: readonly [of: string, called: string],
  turns: readonly Turn[],
  now: number,
  openName: OpenName,
): HTMLElement {
  const rows = turns
    .slice(0, MAX_ROWS)
    .map(({ entry, of, called }) => [
      isolated(of),
      linkTo(entry, called, openName, called.length > LONGEST_WHOLE ? "long" : "whole"),
      stateOf(entry),
      count(entry.attempts ?? 0),
      entry.since === undefined ? "" : clockTime(entry.since, now),
    ]);
  return make(
    "div",
    {},
    tableOf(title, [...heads, "State", "Attempts", "Last attempt"], rows),
    turns.length > MAX_ROWS && make("p", { class: "quiet" }, `and ${count(turns.length - MAX_ROWS)} more`),
  );
}

function slotsTable(entries: readonly Listed[], now: number, openName: OpenName): HTMLElement {
  const turns = entries
    .flatMap((entry) => {
      const { job, slot } = entry;
      return job === undefined || slot === undefined ? [] : [{ entry, of: job, called: slot }];
    })
    .sort((a, b) => (a.of === b.of ? (a.called < b.called ? 1 : -1) : a.of < b.of ? -1 : 1));
  if (turns.length === 0) return make("p", { class: "quiet" }, "No occurrence is remembered.");
  return turnsTable("Occurrences", ["Job", "Slot"], turns, now, openName);
}

function deliveriesTable(entries: readonly Listed[], now: number, openName: OpenName): HTMLElement {
  const turns = [...entries].sort(newest).flatMap((entry) => {
    const { sender, name } = entry;
    if (sender === undefined) return [];
    return [{ entry, of: sender, called: `${name.slice(sender.length + 1, sender.length + 13)}…` }];
  });
  if (turns.length === 0) return make("p", { class: "quiet" }, "No delivery is remembered.");
  return turnsTable("Deliveries, newest first", ["Sender", "Key"], turns, now, openName);
}

/** Senders whose IDs have several parts, none of which has a comma. */
const SEVERAL_PARTS = ["github", "shopify", "slack"];

/** Finds a delivery by its sender's ID, since its name is a digest. */
function lookUp(openName: OpenName): HTMLElement {
  const field = (name: string, words: string, hint: string, isNeeded = true): HTMLElement =>
    make("label", {}, words, make("input", { name, placeholder: hint, required: isNeeded, autocomplete: "off" }));
  const form = make(
    "form",
    { class: "look-up", "aria-label": "Find a delivery" },
    field("sender", "Sender", "github"),
    field("scope", "Scope, or path and query", "/webhooks/github", false),
    field("id", "ID of the delivery", "12345678, 72d3162e-cc78-…"),
    make("button", {}, "Find"),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const data = new FormData(form);
    const [sender = "", scope = "", text = ""] = ["sender", "scope", "id"].map((name) => `${data.get(name)}`.trim());
    const id = SEVERAL_PARTS.includes(sender) ? text.split(/\s*,\s*/) : text;
    const name = await dedupeKey({ sender, scope: scope || undefined, id });
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
  return {
    refresh() {
      const now = store.now();
      const entries = [...store.rows.values()].filter(({ kind }) => kind === "once");
      setText(age, store.runs ? `Read ${span(now - store.runs.readAt)} ago, and every 10 s.` : "");
      showChildren(jobs, [jobsTable(store, openName)]);
      showChildren(slots, [slotsTable(entries, now, openName)]);
      showChildren(deliveries, [deliveriesTable(entries, now, openName)]);
    },
  };
}
