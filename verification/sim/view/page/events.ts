/** What happened, as a table. */
import { make, tableOf } from "../../../../cli/src/ui/page/elements.ts";
import type { Picture } from "../picture.ts";
import type { View } from "./lanes.ts";
import { aboutFinding, aboutHold, aboutPause, aboutRequest, outcomeOf, serversOf, time, workerOf } from "./words.ts";

/** The table has no more rows. */
const MAX_ROWS = 150;

interface Event {
  readonly at: number;
  readonly who: string;
  readonly what: string;
  /** The name and the worker that it concerns. */
  readonly name?: string | undefined;
  readonly isBad?: boolean;
}

const withoutTime = (text: string): string => text.replace(/^[\d.]+ s: /, "");

function eventsOf(picture: Picture, { hasRequests, only }: View): readonly Event[] {
  const servers = serversOf(picture);
  const { name } = only;
  const calls = new Set(picture.requests.filter((each) => each.name === name).map(({ call }) => call));
  const ofCalls = picture.calls.filter(({ id }) => name === undefined || calls.has(id));
  return [
    ...ofCalls.map(({ id, what, from }) => ({ at: from, who: workerOf(id), what })),
    ...ofCalls.map((call) => ({ at: call.to, who: workerOf(call.id), what: `${call.what}: ${outcomeOf(call)}` })),
    ...picture.holds.map((hold) => ({
      ...{ at: hold.from, who: workerOf(hold.call), name: hold.name },
      what: withoutTime(aboutHold(hold, servers)),
    })),
    ...(hasRequests ? picture.requests : []).map((request) => ({
      ...{ at: request.sentAt, who: workerOf(request.call), name: request.name },
      what: withoutTime(aboutRequest(request, servers)),
    })),
    ...picture.pauses.map((pause) => ({ at: pause.from, who: pause.host, what: withoutTime(aboutPause(pause)) })),
    ...picture.faults.map(({ at, where, what }) => ({ at, who: where, what })),
    ...picture.findings.map((finding) => ({
      ...{ at: finding.at, who: "check", what: withoutTime(aboutFinding(finding, servers)) },
      isBad: finding.excuse === undefined,
    })),
  ];
}

/** The table of the part in view, and a sentence about what it leaves out. */
export function eventTable(picture: Picture, view: View): { readonly table: HTMLElement; readonly note: string } {
  const { from, to, only } = view;
  const seen = eventsOf(picture, view)
    .filter(({ at }) => at >= from && at <= to)
    .filter(({ name }) => only.name === undefined || name === undefined || name === only.name)
    .filter(({ who }) => only.worker === undefined || !/^w\d/.test(who) || who === only.worker)
    .sort((a, b) => a.at - b.at);
  const rows = seen
    .slice(0, MAX_ROWS)
    .map(({ at, who, what, isBad }) => [time(at), who, isBad ? make("strong", { class: "bad" }, what) : what]);
  const rest = seen.length - rows.length;
  return {
    table: tableOf("What happened in the part in view", ["time", "who", "what"], rows),
    note:
      rest > 0
        ? `The first ${MAX_ROWS} of ${seen.length} events. Zoom in to read the others.`
        : `${seen.length} events.`,
  };
}
