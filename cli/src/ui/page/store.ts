import type { Listed } from "../../../../src/list/index.ts";
import {
  type Examination,
  type Hello,
  idOf,
  type Look,
  type NameReport,
  type ReleaseAnswer,
  type ReleaseRequest,
  type Rows,
  type Runs,
  type Status,
} from "../wire.ts";

/** The messages of the server so far. */
export interface Store {
  readonly rows: ReadonlyMap<string, Listed>;
  /** The IDs of names whose current tenure was extended. */
  readonly extended: ReadonlySet<string>;
  readonly hello: Hello | undefined;
  readonly status: Status | undefined;
  readonly report: NameReport | undefined;
  readonly runs: Runs | undefined;
  readonly examination: Examination | undefined;
  /** `lost`: the page reconnects. `ended`: the program has ended, or was restarted under another address. */
  readonly link: "connecting" | "live" | "lost" | "ended" | "paused";
  /** The server's time now. */
  now(): number;
  look(wanted: Omit<Look, "stream">): void;
  pause(isPaused: boolean): void;
  release(wanted: ReleaseRequest): Promise<ReleaseAnswer>;
  diagnose(): void;
}

/** A smaller change of the end is ignored, since ends are rounded to ms. */
const SAME_MS = 2;

/** Records whether a name's current tenure was extended, if that was seen. */
function noteExtension(extended: Set<string>, before: Listed | undefined, after: Listed): void {
  const id = idOf(after);
  const isSame = before?.held === true && after.held && before.token === after.token;
  if (!isSame) extended.delete(id);
  else if ((after.until ?? 0) - (before.until ?? 0) > SAME_MS) extended.add(id);
}

type Changing = { -readonly [K in keyof Store]: Store[K] };

const NOTHING_YET = {
  hello: undefined,
  status: undefined,
  report: undefined,
  runs: undefined,
  examination: undefined,
  link: "connecting",
} as const;

const post = (path: string, body: object): Promise<Response> =>
  fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

async function postRelease(request: ReleaseRequest): Promise<ReleaseAnswer> {
  const response = await post("release", request);
  if (response.ok) return (await response.json()) as ReleaseAnswer;
  const message =
    response.status === 403
      ? "Releases need the option --allow-release of leasehold ui."
      : `The server answered ${response.status}.`;
  return { outcome: "refused", message };
}

/** Applies the server's events to the store. */
function takersOf(
  store: Changing,
  { rows, extended }: { readonly rows: Map<string, Listed>; readonly extended: Set<string> },
  setTime: (serverNow: number) => void,
): Readonly<Record<string, (message: never) => void>> {
  let isFirst = true;
  return {
    hello(message: Hello) {
      store.hello = message;
      isFirst = true;
      store.link = "live";
    },
    rows({ rows: fresh, gone }: Rows) {
      if (isFirst) rows.clear();
      isFirst = false;
      for (const id of gone) {
        rows.delete(id);
        extended.delete(id);
      }
      for (const entry of fresh) {
        noteExtension(extended, rows.get(idOf(entry)), entry);
        rows.set(idOf(entry), entry);
      }
    },
    status(message: Status) {
      setTime(message.now);
      store.status = message;
    },
    name(message: NameReport) {
      store.report = message;
    },
    runs(message: Runs) {
      store.runs = message;
    },
    doctor(message: Examination) {
      store.examination = message;
    },
  };
}

/** Opens the stream of events; `receive` is called after each event. */
function listenTo(
  takes: ReturnType<typeof takersOf>,
  receive: (event: string) => void,
  fail: (link: "lost" | "ended") => void,
): EventSource {
  const source = new EventSource("events");
  for (const [event, take] of Object.entries(takes))
    source.addEventListener(event, ({ data }: MessageEvent<string>) => {
      take(JSON.parse(data) as never);
      receive(event);
    });
  source.addEventListener("error", () => fail(source.readyState === EventSource.CLOSED ? "ended" : "lost"));
  return source;
}

/** Listens to the server, except while the page is paused or hidden. */
export function openStore(changed: (what: string) => void): Store {
  const rows = new Map<string, Listed>();
  const extended = new Set<string>();
  let source: EventSource | undefined;
  let wanted: Omit<Look, "stream"> = {};
  let isPaused = false;
  let offset = 0;

  const store: Changing = {
    ...NOTHING_YET,
    rows,
    extended,
    now: () => Date.now() + offset,
    look(next) {
      if (store.report && next.name?.name !== wanted.name?.name) store.report = undefined;
      wanted = next;
      if (store.hello && store.link === "live") post("look", { ...wanted, stream: store.hello.stream }).catch(() => {});
    },
    pause(next) {
      isPaused = next;
      settle();
    },
    diagnose() {
      post("diagnose", {}).catch(() => {});
    },
    release: postRelease,
  };

  function tell(link: Store["link"]): void {
    store.link = link;
    changed("link");
  }

  const takes = takersOf(store, { rows, extended }, (serverNow) => {
    offset = serverNow - Date.now();
  });

  function receive(event: string): void {
    if (event === "hello") store.look(wanted);
    changed(event);
  }

  function settle(): void {
    const isIdle = isPaused || document.hidden;
    if (isIdle && source) {
      source.close();
      source = undefined;
      tell("paused");
    } else if (!isIdle && !source) {
      source = listenTo(takes, receive, tell);
      tell("connecting");
    }
  }

  document.addEventListener("visibilitychange", settle);
  // Later, since its listener needs the store.
  queueMicrotask(settle);
  return store;
}
