import type { Listed, ListedHolder } from "../../../../src/list/index.ts";
import { byId, make } from "./elements.ts";
import type { Store } from "./store.ts";
import { describe, isolated, many, visible } from "./words.ts";

/** The thing that is released, where it is not a tenure. */
const WHAT: Readonly<Record<string, string>> = {
  semaphore: "Every permit in use is taken, up to the one with this token.",
  once: "The attempt with this token is ended, and the next one may begin at once.",
};

/** Says what one holder of a semaphore has. */
function describeHolder({ label, holder, permits = 1 }: ListedHolder): string {
  const who = [label, holder].filter((text) => text !== undefined).map((text) => visible(text as string));
  return `${many(permits, "permit")}${who.length > 0 ? `, taken by ${who.join(", ")}` : ""}. The other holders keep theirs.`;
}

/**
 * Asks before a tenure is ended, or the permits of one holder are taken, and shows which it is. `say` reports the
 * outcome.
 */
export function askRelease(
  { store, say }: { readonly store: Store; say(text: string): void },
  entry: Listed,
  holder?: ListedHolder,
): void {
  const dialog = byId<HTMLDialogElement>("confirm");
  const cancel = make("button", { type: "button", id: "cancel" }, "Cancel");
  const release = make("button", { type: "button", class: "danger", id: "really" }, "Release");
  const { name, group, kind } = entry;
  const token = holder?.token ?? entry.token;
  const what = holder ? "It is taken from the holder with this token only." : WHAT[kind];
  dialog.replaceChildren(
    make("h2", { id: "confirm-title" }, "Release ", isolated(name), "?"),
    make("p", {}, holder ? describeHolder(holder) : describe(entry, store.now())),
    make("p", { class: "taken" }, "Token ", make("code", {}, `${token}`)),
    make(
      "p",
      { class: "quiet" },
      `${what ?? "It is taken only from the tenure with this token."} The holder is not stopped: a fence refuses ` +
        "its writes, nothing else does.",
    ),
    make("div", { class: "buttons" }, cancel, release),
  );
  cancel.addEventListener("click", () => dialog.close());
  release.addEventListener("click", async () => {
    release.disabled = true;
    try {
      const { message } = await store.release({
        name,
        token,
        isOne: holder !== undefined,
        ...(group !== undefined && { group }),
      });
      say(message);
    } catch {
      say("The program on this machine did not answer. Whether the name was released is not known.");
    }
    dialog.close();
  });
  dialog.showModal();
  cancel.focus();
}
