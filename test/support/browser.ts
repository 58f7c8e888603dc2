import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

/** A Chromium, where there is one. */
export const browser: string | undefined = ["chromium", "chromium-browser", "google-chrome"].find(
  (name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0,
);

const QUIET = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"];

const PATIENCE_MS = 20_000;
/** The keys whose text the page needs. */
const TYPED: Readonly<Record<string, object>> = {
  Enter: { text: "\r", windowsVirtualKeyCode: 13 },
  " ": { code: "Space", text: " ", windowsVirtualKeyCode: 32 },
};

/** An answer or an event of the DevTools protocol. */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** A page in a browser. */
export interface Page {
  /** Sends a command of the DevTools protocol. */
  send<T>(method: string, params?: object): Promise<T>;
  /** Runs an expression in the page, and waits for its promise. @throws what it throws. */
  evaluate<T>(expression: string): Promise<T>;
  /** Opens an address, in a new document, and waits until an expression is true. */
  open(url: string, ready: string): Promise<void>;
  /** Waits until an expression is true. @throws with the page's text when that takes too long. */
  until(expression: string): Promise<void>;
  /** Presses a key where the focus is. */
  press(key: string): Promise<void>;
  resize(width: number, height?: number): Promise<void>;
  /** Errors in the console, and those that nobody caught. */
  readonly errors: string[];
}

export interface Browser {
  page(): Promise<Page>;
  close(): Promise<void>;
}

/** Speaks the DevTools protocol over a pair of pipes: messages end with a zero byte. */
function devTools(input: Writable, output: Readable, heard: (message: Message) => void) {
  const open = new Map<number, (message: Message) => void>();
  let last = 0;
  let rest = "";
  output.setEncoding("utf8").on("data", (chunk: string) => {
    const messages = (rest + chunk).split("\0");
    rest = messages.pop() ?? "";
    for (const text of messages) {
      const message = JSON.parse(text) as Message;
      if (message.id === undefined) heard(message);
      else open.get(message.id)?.(message);
    }
  });
  return <T>(method: string, params: object, sessionId?: string): Promise<T> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      open.set(id, ({ result, error }) => {
        open.delete(id);
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result as T);
      });
      input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
}

/** The text of an error that went to the console or was thrown; undefined for another message. */
function errorIn({ method, params }: Message): string | undefined {
  const { type, args, exceptionDetails, entry } = (params ?? {}) as {
    readonly type?: string;
    readonly args?: readonly { readonly value?: unknown; readonly description?: string }[];
    readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
    readonly entry?: { readonly level: string; readonly text: string };
  };
  if (method === "Runtime.exceptionThrown") return exceptionDetails?.exception?.description ?? exceptionDetails?.text;
  if (method === "Log.entryAdded" && entry?.level === "error") return entry.text;
  if (method !== "Runtime.consoleAPICalled" || (type !== "error" && type !== "assert")) return undefined;
  return args?.map(({ value, description }) => description ?? String(value)).join(" ");
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** Starts a headless browser with a profile of its own. @throws where there is none. */
export function startBrowser(file: string | undefined = browser): Browser {
  if (file === undefined) throw new Error("No Chromium on the PATH: install one with `apt-get install chromium`.");
  const profile = mkdtempSync(join(tmpdir(), "leasehold-browser-"));
  const child = spawn(file, [...QUIET, "--remote-debugging-pipe", `--user-data-dir=${profile}`], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const errors = new Map<string, string[]>();
  const send = devTools(child.stdio[3] as Writable, child.stdio[4] as Readable, (message) => {
    const said = errorIn(message);
    if (said !== undefined) errors.get(message.sessionId ?? "")?.push(said);
  });

  async function page(): Promise<Page> {
    const { targetId } = await send<{ targetId: string }>("Target.createTarget", { url: "about:blank" });
    const attached = await send<{ sessionId: string }>("Target.attachToTarget", { targetId, flatten: true });
    const { sessionId } = attached;
    const found: string[] = [];
    errors.set(sessionId, found);
    const ask = <T>(method: string, params: object = {}): Promise<T> => send<T>(method, params, sessionId);
    for (const domain of ["Runtime", "Log", "Page", "Accessibility"]) await ask(`${domain}.enable`);
    async function evaluate<T>(expression: string): Promise<T> {
      const { result, exceptionDetails } = await ask<{
        readonly result: { readonly value: T };
        readonly exceptionDetails?: { readonly exception?: { readonly description?: string } };
      }>("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? "the page threw");
      return result.value;
    }
    return {
      send: ask,
      evaluate,
      async open(url, ready) {
        // By way of another document: an address that differs in its last part only opens none.
        await ask("Page.navigate", { url: "about:blank" });
        await ask("Page.navigate", { url });
        while (!(await evaluate<boolean>(`location.href !== "about:blank" && (${ready})`)))
          await new Promise((resolve) => setTimeout(resolve, 20));
      },
      async until(expression) {
        const signal = AbortSignal.timeout(PATIENCE_MS);
        while (!(await evaluate<boolean>(expression))) {
          if (signal.aborted) throw new Error(`${expression}\n${await evaluate<string>("document.body.innerText")}`);
          await new Promise((resolve) => setTimeout(resolve, 25));
        }
      },
      async press(key) {
        const typed = TYPED[key] ?? {};
        for (const type of ["keyDown", "keyUp"])
          await ask("Input.dispatchKeyEvent", { type, key, code: key, ...typed });
      },
      resize: (width, height = 800) =>
        ask("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false }),
      errors: found,
    };
  }

  return {
    page,
    async close() {
      await stop(child);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
