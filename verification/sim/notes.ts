/** What happens in a run, for its picture. Times are added by the world. */

/** Who holds a name at a time, by the server's clock. */
export interface NotedHold {
  readonly id: string;
  readonly call: string | undefined;
  readonly token: number;
  /** When its lease ends unless it is extended, in ms since the start. */
  readonly endsAt: number;
}

export type Note =
  /** A call of the SDK begins or ends. */
  | { readonly type: "call"; readonly call: string; readonly what: string }
  | { readonly type: "ended"; readonly call: string; readonly outcome: string }
  /** A request leaves its client; `name` is the first key. */
  | {
      readonly type: "sent";
      readonly request: string;
      readonly call: string | undefined;
      readonly server: string;
      readonly name: string;
      readonly script: string;
      readonly fate: string;
    }
  /** A copy of it reaches the server, is executed, and is answered. */
  | { readonly type: "arrived"; readonly request: string }
  | { readonly type: "executed"; readonly request: string; readonly status: string }
  /** The client gets an answer, or learns that there is none, or waits no longer. */
  | { readonly type: "answered"; readonly request: string; readonly status: number }
  | { readonly type: "broke"; readonly request: string; readonly code: string }
  | { readonly type: "gave up"; readonly request: string }
  | { readonly type: "held"; readonly name: string; readonly by: string; readonly holds: readonly NotedHold[] }
  /** A client relies on its lease, or no longer. */
  | { readonly type: "relies"; readonly call: string; readonly token: number; readonly names: readonly string[] }
  | { readonly type: "relies no more"; readonly call: string }
  | { readonly type: "froze"; readonly host: string; readonly ms: number; readonly sleeps: boolean }
  | { readonly type: "cut"; readonly host: string; readonly server: string; readonly ms: number }
  /** A fault of a host or a server. */
  | { readonly type: "fault"; readonly where: string; readonly what: string; readonly ms?: number }
  /** A message for waiters. */
  | { readonly type: "message"; readonly channel: string; readonly text: string; readonly fate: string }
  /** A check fails; `excuse` is the sentence under "Not guaranteed" that allows it. */
  | { readonly type: "found"; readonly rule: string; readonly text: string; readonly excuse?: string | undefined };

/** A note with its time, in ms since the start. */
export type Noted = Note & { readonly at: number };
