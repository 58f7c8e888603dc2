/** The page of `leasehold ui`. */
import type { Listed } from "../../../../src/list/index.ts";
import { isFence, type Look } from "../wire.ts";
import { makeDoctorView } from "./doctor-view.ts";
import { byId, setText } from "./elements.ts";
import { makeNameView } from "./name-view.ts";
import { freshness, makeNamesView } from "./names-view.ts";
import { askRelease } from "./release-dialog.ts";
import { makeRunsView } from "./runs-view.ts";
import { openStore, type Store } from "./store.ts";
import { count, many, visible } from "./words.ts";

type Target = Pick<Listed, "name" | "group" | "kind">;
const VIEWS = ["names", "runs", "doctor"] as const;
const SAY_MS = 4000;

/** Announces to screen readers, not more often than can be listened to. */
function makeSpeaker(): (text: string, isUrgent?: boolean) => void {
  let lastAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (text, isUrgent = false) => {
    clearTimeout(timer);
    const tell = (): void => {
      lastAt = performance.now();
      byId("said").textContent = text;
    };
    // Immediately, so that no other announcement replaces it.
    if (isUrgent) tell();
    else timer = setTimeout(tell, Math.max(0, lastAt + SAY_MS - performance.now()));
  };
}

/** The view and the name in the address after its `#`. */
function readAddress(): { readonly view: string; readonly target: Target | undefined } {
  const fields = new URLSearchParams(location.hash.slice(1));
  const [view, name, group] = [fields.get("view"), fields.get("name"), fields.get("group")];
  const kind = fields.has("fence") ? "fence" : "none";
  return {
    view: VIEWS.find((each) => each === view) ?? "names",
    target: name ? { name, kind, ...(group && { group }) } : undefined,
  };
}

function addressOf(view: string, target: Target | undefined): string {
  const fields = new URLSearchParams();
  if (view !== "names") fields.set("view", view);
  if (target) fields.set("name", target.name);
  if (target?.group !== undefined) fields.set("group", target.group);
  if (target && isFence(target.kind)) fields.set("fence", "");
  return `#${fields}`;
}

const PROBLEMS: Readonly<Partial<Record<Store["link"], string>>> = {
  lost: "The connection to leasehold ui is lost. Reconnecting …",
  ended: "leasehold ui has ended. Start it again, and open the address that it prints.",
};

/** Says what this costs, and what is wrong. */
function showState(store: Store): void {
  const { hello, status, link } = store;
  const problem =
    PROBLEMS[link] ??
    (status?.problem
      ? `Redis cannot be read: ${visible(status.problem.message)} (${status.problem.code}). The page shows older data.`
      : "");
  const banner = byId("problem");
  banner.hidden = problem === "";
  setText(banner, problem);
  if (hello) setText(byId("where"), [hello.server, hello.prefix].filter((text) => text !== "").join(" · "));
  if (!status) return;
  const perSecond = count(Math.ceil(status.commandsPerSecond));
  const rate = link === "paused" ? "Paused: no requests" : `1 request/s, ${perSecond} billed commands/s`;
  setText(byId("cost"), `${rate}; ${many(status.commands, "command")} so far`);
}

/** Switches between the views by mouse, by arrow keys and by the address. */
function makeTabs(choose: (view: string) => void): (view: string) => void {
  const tabs = VIEWS.map((view) => byId<HTMLButtonElement>(`tab-${view}`));
  // A panel without focusable elements must still be scrollable by keyboard.
  for (const view of ["runs", "doctor"]) byId(`view-${view}`).tabIndex = 0;
  for (const [n, tab] of tabs.entries()) {
    tab.addEventListener("click", () => choose(VIEWS[n] as string));
    tab.addEventListener("keydown", ({ key }) => {
      const by = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
      if (by === 0) return;
      const there = tabs.filter(({ hidden }) => !hidden);
      there[(there.indexOf(tab) + by + there.length) % there.length]?.click();
      document.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus();
    });
  }
  return (view) => {
    for (const [n, tab] of tabs.entries()) {
      const isChosen = VIEWS[n] === view;
      tab.setAttribute("aria-selected", `${isChosen}`);
      tab.tabIndex = isChosen ? 0 : -1;
      byId(`view-${VIEWS[n]}`).hidden = !isChosen;
    }
  };
}

/** Announces a new holder of the open name. */
function makeAnnouncer(say: (text: string) => void): (store: Store) => void {
  let last = "";
  return ({ report }) => {
    const { entry, id } = report ?? {};
    const holder = entry?.held ? `held by ${entry.label ?? "a holder"} under token ${entry.token}` : "free";
    const now = `${id} ${holder}`;
    if (now !== last && last.startsWith(`${id} `)) say(`${visible(entry?.name ?? "The name")}: ${holder}`);
    last = now;
  };
}

/** The part of a look about the open name. */
function lookAt(target: Target | undefined): Pick<Look, "name"> {
  if (!target) return {};
  const { name, group, kind } = target;
  return { name: { name, ...(group !== undefined && { group }), isFence: isFence(kind) } };
}

function listenToPause(store: Store): void {
  const pause = byId<HTMLButtonElement>("pause");
  pause.addEventListener("click", () => {
    const isPaused = pause.getAttribute("aria-pressed") !== "true";
    pause.setAttribute("aria-pressed", `${isPaused}`);
    store.pause(isPaused);
  });
}

function listenToEscape(close: () => void): void {
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && readAddress().target && !byId<HTMLDialogElement>("confirm").open) close();
  });
}

/** Reports to the server what the page looks at: the open name and the search text. */
function makeLook(store: Store) {
  let target: Target | undefined;
  let search = "";
  const look = (): void => store.look({ ...lookAt(target), ...(search !== "" && { search }) });
  return {
    open(next: Target | undefined): void {
      target = next;
      look();
    },
    searched(text: string): void {
      search = text;
      look();
    },
  };
}

function start(): void {
  const say = makeSpeaker();
  const announce = makeAnnouncer(say);
  let view = "";
  let isDirty = false;

  const store = openStore((what) => {
    if (what === "link" && store?.link !== "connecting") setTimeout(() => say(byId("problem").textContent ?? "", true));
    if (what === "name") announce(store);
    if (isDirty) return;
    isDirty = true;
    requestAnimationFrame(refresh);
  });
  const goTo = (next: string, target: Target | undefined): void => location.assign(addressOf(next, target));
  const openName = (entry: Target): void => goTo("names", entry);
  const close = (): void => goTo("names", undefined);
  const releasing = { store, say: (text: string): void => say(text, true) };
  const nameView = makeNameView(store, (entry, holder) => askRelease(releasing, entry, holder), close);
  const look = makeLook(store);
  const namesView = makeNamesView(store, { openName, opened: nameView.opened, searched: look.searched });
  const runsView = makeRunsView(store, openName);
  const doctorView = makeDoctorView(store);
  const showTab = makeTabs((next) => goTo(next, next === "names" ? readAddress().target : undefined));

  function refresh(): void {
    isDirty = false;
    showState(store);
    setText(byId("fresh"), freshness(store, store.now()));
    if (view === "names") namesView.refresh();
    if (view === "runs") runsView.refresh();
    nameView.refresh();
    doctorView.refresh();
    document.body.dataset["ready"] = `${store.status?.lastRound !== undefined}`;
  }

  /** Updates the times. */
  function tick(): void {
    if (document.hidden) return;
    if (view === "names") namesView.tick();
    setText(byId("fresh"), freshness(store, store.now()));
    nameView.refresh();
  }

  function follow(): void {
    const { view: next, target } = readAddress();
    const isBack = next === "names" && view === next && nameView.opened() !== "" && !target;
    view = next;
    showTab(view);
    nameView.open(target);
    if (isBack) byId("grid").focus();
    look.open(target);
    refresh();
  }

  listenToPause(store);
  listenToEscape(close);
  addEventListener("hashchange", follow);
  setInterval(tick, 1000);
  follow();
}

start();
