import type { Action } from "./address.ts";
import { element, write } from "./elements.ts";
import { type Name, nickname } from "./history.ts";
import { inSeconds } from "./narrator.ts";
import type { Simulation } from "./simulation.ts";
import type { InstanceView } from "./view.ts";

function beliefOf({ state, lease }: InstanceView, token: string): string {
  if (!lease) return "believes that it holds nothing";
  const left = inSeconds(lease.remaining);
  if (state === "frozen") return `when it froze: ${left} of its lease ${token} left`;
  if (lease.over === "released") return `releases its lease ${token}`;
  return lease.over ? `knows that its lease ${token} has ended` : `believes that it holds ${token} for ${left} more`;
}

/** Shows what an instance does and believes. */
export function showInstance(run: Simulation, name: Name): void {
  const view = run.instance(name);
  const { state, lease, isLosing } = view;
  const phase = run.history.instances[name].phases.at(-1)?.what;
  const doing = { asks: "waits", works: "works", rests: "rests", dead: "killed" };
  const words =
    state === "runs" && phase ? doing[phase] : { absent: "starts", frozen: "frozen", dead: "killed", runs: "" }[state];
  write(`state-${name}`, words);
  element<HTMLElement>(`state-${name}`).dataset["state"] = words;
  write(
    `belief-${name}`,
    state === "dead" ? "believes nothing" : beliefOf(view, lease ? nickname(run.history, lease.token) : ""),
  );
  const signal = lease
    ? `signal: ${lease.over ? `aborted (${lease.over})` : "not aborted"}`
    : "it has no lease, and so no signal";
  write(`signal-${name}`, isLosing ? `${signal} · its next answer will be lost` : signal);
}

/** Shows the holder, the token and the fence of the server. */
export function showServer(run: Simulation): void {
  const {
    server: { holder, fence, ahead },
    history,
  } = run;
  write("holder", holder ? `held by ${holder.who} for ${inSeconds(holder.remaining)} more` : "free");
  const clock = ahead === 0 ? "" : ` · clock ${ahead > 0 ? "+" : "−"}${Math.abs(ahead)} s`;
  const token = history.tokens.at(-1);
  const words = `${holder ? "" : "last "}token ${token === undefined ? "none yet" : `${nickname(history, token)} = ${token}`}`;
  write("token", words + clock);
  write("rule", run.isUnfenced ? "takes every write" : "checks the token");
  const seen = run.isUnfenced ? "last written under" : "highest token seen:";
  write("seen", fence ? `${seen} ${nickname(history, fence.token)}` : "no token seen yet");
  write("value", fence?.value ? `value: “${fence.value}”` : "no value yet");
}

/** Disables the buttons whose action the run does not allow now. */
export function showButtons(buttons: readonly HTMLButtonElement[], run: Simulation): void {
  for (const button of buttons) {
    const [first, otherwise] = [button.dataset["action"], button.dataset["else"]] as [Action, Action | undefined];
    const isOther = otherwise !== undefined && run.allows(otherwise);
    if (otherwise) {
      const who = first.slice(-1);
      rename(button, isOther ? "Start again" : "Kill", isOther ? `Start ${who} again` : `Kill ${who}`);
    }
    button.disabled = !isOther && !run.allows(first);
  }
}

function rename(button: HTMLButtonElement, words: string, name: string): void {
  if (button.textContent === words) return;
  button.textContent = words;
  button.setAttribute("aria-label", name);
}
