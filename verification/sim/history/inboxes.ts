import type { Execution } from "../scripts.ts";
import type { Facts, Name, Op } from "./facts.ts";
import type { Sentence } from "./sentences.ts";

/** The rules about messages of a conversation whose turns collect: none is lost, and none is in two turns that end. */
export interface Inboxes {
  /** An answer of the script. */
  collected(full: string, execution: Execution<Op>): void;
  /** The work of the turn with this token has handled these messages. */
  handled(full: string, token: number, ids: readonly string[]): void;
  /** Checks what a call was told about its message. */
  delivered(full: string, op: Op, id: string, status: string): void;
}

type Inbox = NonNullable<Name["inbox"]>;

const MAX_MESSAGES = 100;
const MAX_BYTES = 262_144;

const inboxOf = (name: Name): Inbox => {
  name.inbox ??= { waiting: new Map(), ended: new Map(), given: new Map(), isKnown: name.lostAt < 0 };
  return name.inbox;
};

const idIn = (text: string): string => (JSON.parse(text) as { id: string }).id;

/** After a loss the server may lack messages or IDs; after a step forward of its clock it may have forgotten them. */
const excuseFor = ({ lossSince }: Facts, full: string): Sentence | undefined => lossSince(full, 0);

/** The end of the caller's former turn: what it was given is removed, and each of it was handled by its work. */
function endFormer(facts: Facts, full: string, execution: Execution<Op>, inbox: Inbox): void {
  const { args, op, now } = execution;
  const hold = args["former"] ?? "";
  // A duplicate of a grant may have been given more than the caller.
  const given = inbox.given.get(`${hold} ${args["upTo"]}`) ?? new Set<string>();
  inbox.given.delete(`${hold} ${args["upTo"]}`);
  const done = facts.handledBy.get(`${full} ${args["formerToken"]}`) ?? new Set<string>();
  for (const id of given) {
    if (!done.has(id)) facts.report("messages", `${op?.id} ends a turn that had ${id}, and did not handle it`);
    if (inbox.ended.has(id)) facts.report("messages", `${id} was in two turns of ${full}`, excuseFor(facts, full));
    inbox.waiting.delete(id);
    inbox.ended.set(id, now + Number(args["ttl"]) * 1000);
  }
}

/** Whether the caller's message is new to the server, by what is known. */
function add(facts: Facts, full: string, execution: Execution<Op>, inbox: Inbox): void {
  const { args, op, now } = execution;
  const text = args["message"] ?? "";
  const id = idIn(text);
  const until = inbox.ended.get(id);
  if (until !== undefined && until > now && !inbox.waiting.has(id))
    facts.report("messages", `${op?.id} hands ${id} in again, whose turn in ${full} has ended`, excuseFor(facts, full));
  if (inbox.waiting.has(id)) return;
  inbox.ended.delete(id);
  inbox.waiting.set(id, text);
}

/** Whether there is room for a message of so many bytes. */
function hasRoom({ waiting }: Inbox, bytes: number): boolean {
  const size = [...waiting.values()].reduce((sum, text) => sum + text.length, 0);
  return waiting.size < MAX_MESSAGES && size + bytes <= MAX_BYTES;
}

function collected(facts: Facts, full: string, execution: Execution<Op>): void {
  const { status, args, reply, op } = execution;
  const { report } = facts;
  const name = facts.nameOf(full);
  const inbox = inboxOf(name);
  const text = args["message"] ?? "";
  const hasMessage = args["key"] !== "";
  const waited = hasMessage && inbox.waiting.has(idIn(text));
  const excuse = excuseFor(facts, full);

  if (status === "granted" || status === "ended") endFormer(facts, full, execution, inbox);
  if (status === "kept" || (status === "granted" && hasMessage && reply["own"] === 1))
    add(facts, full, execution, inbox);
  const isFull = status === "full" || (status === "granted" && hasMessage && reply["own"] === 0);
  if (isFull && (waited || (inbox.isKnown && hasRoom(inbox, text.length))))
    report("messages", `${op?.id} finds no room in ${full}, which has ${inbox.waiting.size} messages`, excuse);
  const isHandled = status === "handled" || (status === "granted" && hasMessage && reply["own"] === 2);
  if (isHandled && inbox.isKnown && !inbox.ended.has(idIn(text)))
    report("messages", `${op?.id} is told that ${idIn(text)} was handled in ${full}`, excuse);
  if (status === "ended" && inbox.isKnown && Number(reply["left"]) !== inbox.waiting.size)
    report("messages", `${full} has ${inbox.waiting.size} messages, not ${reply["left"]}`, excuse);
  if (status !== "granted" || reply["messages"] === "") return;

  // What a turn is given is all there is, in order of arrival.
  const list = JSON.parse(String(reply["messages"]).slice(1)) as readonly { readonly id: string }[];
  const ids = list.map(({ id }) => id);
  if (!inbox.isKnown) {
    inbox.waiting = new Map(list.map((each) => [each.id, JSON.stringify(each)]));
    inbox.isKnown = true;
  }
  const wanted = [...inbox.waiting.keys()];
  if (String(ids) !== String(wanted)) {
    report("messages", `a turn of ${op?.id} in ${full} is given ${ids}, not ${wanted}`, excuse);
    inbox.waiting = new Map(list.map((each) => [each.id, JSON.stringify(each)]));
  }
  inbox.given.set(`${(args["id"] ?? "").slice(0, 36)} ${reply["upTo"]}`, new Set(ids));
}

/** Whether a call was told what became of its message. */
function delivered(facts: Facts, full: string, op: Op, id: string, status: string): void {
  const { waiting, ended } = inboxOf(facts.nameOf(full));
  const isKept = status === "kept" && waiting.has(id);
  if (!isKept && !ended.has(id))
    facts.report("messages", `${op.id} is told that ${id} is ${status} in ${full}`, excuseFor(facts, full));
}

export const createInboxes = (facts: Facts): Inboxes => ({
  collected: (full, execution) => collected(facts, full, execution),
  handled(full, token, ids) {
    facts.handledBy.set(`${full} ${token}`, new Set(ids));
  },
  delivered: (full, op, id, status) => delivered(facts, full, op, id, status),
});
