/** How a changeset becomes lines of a changelog: the unchanged text, without commits and authors. */
import type { ChangelogFunctions } from "@changesets/types";

const functions: ChangelogFunctions = {
  getReleaseLine: ({ summary }) => `- ${summary.trim().split("\n").join("\n  ")}`,
  getDependencyReleaseLine: (_changesets, updated) =>
    updated.length === 0 ? "" : `- Uses ${updated.map(({ name, newVersion }) => `${name} ${newVersion}`).join(", ")}.`,
};

export default functions;
