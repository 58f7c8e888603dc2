import { element } from "./elements.ts";
import type { Note } from "./history.ts";
import { inSeconds } from "./narrator.ts";
import type { Simulation } from "./simulation.ts";

const log = element<HTMLOListElement>("log");

/** Removes the sentences of the last run. */
export function clearSentences(): void {
  log.replaceChildren();
  const caption = element<HTMLElement>("caption");
  caption.replaceChildren();
  delete caption.dataset["note"];
}

function sentence(target: HTMLElement, at: number, words: string): void {
  const time = document.createElement("time");
  time.textContent = inSeconds(at);
  target.replaceChildren(time, words);
}

/** Adds the sentences that the log does not show yet. */
export function showNotes({ history: { notes } }: Simulation): void {
  const shown = log.childElementCount;
  if (notes.length === shown) return;
  const isAtEnd = log.scrollTop + log.clientHeight > log.scrollHeight - 24;
  for (const { at, tone, text } of notes.slice(shown)) {
    const item = document.createElement("p");
    item.className = tone;
    const words = document.createElement("span");
    words.textContent = text;
    sentence(item, at, "");
    item.append(words);
    log.append(item);
  }
  if (isAtEnd) log.scrollTop = log.scrollHeight;
}

/** The sentence below the picture: the last one, unless one that matters more is still to be read. */
export function showCaption({ seconds, history: { notes } }: Simulation): void {
  const fresh = (tone: Note["tone"], length: number): Note | undefined =>
    notes.findLast((note) => note.tone === tone && note.at > seconds - length);
  const note = fresh("bad", 4) ?? fresh("you", 3) ?? notes.at(-1);
  const caption = element<HTMLElement>("caption");
  if (!note || caption.dataset["note"] === String(notes.indexOf(note))) return;
  caption.dataset["note"] = String(notes.indexOf(note));
  caption.className = `caption ${note.tone}`;
  sentence(caption, note.at, note.text);
}
