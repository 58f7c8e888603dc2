import type { Listed } from "../../../../src/list/index.ts";
import { byId, make } from "./elements.ts";
import type { Store } from "./store.ts";
import { describe, isolated } from "./words.ts";

/** The thing that is released, where it is not a tenure. */
const WHAT: Readonly<Record<string, string>> = {
  semaphore: "Every permit in use is taken, up to the one with this token.",
  once: "The attempt with this token is ended, and the next one may begin at once.",
};

/** Asks before a tenure is ended, and shows which one it is. `say` tells the outcome. */
export function askRelease(store: Store, entry: Listed, say: (text: string) => void): void {
  const dialog = byId<HTMLDialogElement>("confirm");
  const cancel = make("button", { type: "button", id: "cancel" }, "Cancel");
  const release = make("button", { type: "button", class: "danger", id: "really" }, "Release");
  const { name, group, kind, token } = entry;
  dialog.replaceChildren(
    make("h2", { id: "confirm-title" }, "Release ", isolated(name), "?"),
    make("p", {}, describe(entry, store.now())),
    make("p", { class: "taken" }, "Token ", make("code", {}, `${token}`)),
    make(
      "p",
      { class: "quiet" },
      `${WHAT[kind] ?? "It is taken only from the tenure with this token."} The holder is not stopped: a fence refuses ` +
        "its writes, nothing else does.",
    ),
    make("div", { class: "buttons" }, cancel, release),
  );
  cancel.addEventListener("click", () => dialog.close());
  release.addEventListener("click", async () => {
    release.disabled = true;
    try {
      const { message } = await store.release({ name, token, ...(group !== undefined && { group }) });
      say(message);
    } catch {
      say("The program on this machine did not answer. Whether the name was released is not known.");
    }
    dialog.close();
  });
  dialog.showModal();
  cancel.focus();
}
