import type { Listed, ListedHolder } from "../../../../src/list/index.ts";
import { byId, make } from "./elements.ts";
import type { Store } from "./store.ts";
import { describe, isolated, many, visible } from "./words.ts";

/** The released thing, if it is not a tenure. */
const WHAT: Readonly<Record<string, string>> = {
  semaphore: "This releases every permit in use, up to the one with this token.",
  once: "This ends the attempt with this token, and the next one can begin at once.",
};

/** Describes the permits of one holder of a semaphore. */
function describeHolder({ label, holder, permits = 1 }: ListedHolder): string {
  const who = [label, holder].filter((text) => text !== undefined).map((text) => visible(text as string));
  return `${many(permits, "permit")}${who.length > 0 ? `, held by ${who.join(", ")}` : ""}. The other holders keep theirs.`;
}

/** Asks before a tenure or the permits of one holder are released, and shows which. `say` reports the outcome. */
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
  const what = holder ? "This releases only the permits with this token." : WHAT[kind];
  dialog.replaceChildren(
    make("h2", { id: "confirm-title" }, "Release ", isolated(name), "?"),
    make("p", {}, holder ? describeHolder(holder) : describe(entry, store.now())),
    make("p", { class: "taken" }, "Token ", make("code", {}, `${token}`)),
    make(
      "p",
      { class: "quiet" },
      `${what ?? "This ends only the tenure with this token."} It does not stop the holder: only a ` +
        "fence refuses the holder's writes.",
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
      say("leasehold ui did not answer. It is unknown whether the name was released.");
    }
    dialog.close();
  });
  dialog.showModal();
  cancel.focus();
}
