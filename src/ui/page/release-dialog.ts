import type { Listed } from "../../list/index.ts";
import { byId, make } from "./elements.ts";
import type { Store } from "./store.ts";
import { describe, isolated } from "./words.ts";

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
      "It is taken only from the tenure with this token. Its holder learns of it with its next request; until then it " +
        "goes on working, and only a fence refuses its writes.",
    ),
    make("div", { class: "buttons" }, cancel, release),
  );
  cancel.addEventListener("click", () => dialog.close());
  release.addEventListener("click", async () => {
    release.disabled = true;
    try {
      const { message } = await store.release({ name, kind, token, ...(group !== undefined && { group }) });
      say(message);
    } catch {
      say("The program on this machine did not answer. Whether the name was released is not known.");
    }
    dialog.close();
  });
  dialog.showModal();
  cancel.focus();
}
