// Generated from lua/fence-read.lua by tools/build-lua.ts; do not edit.
import { clock, fence, fenced } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FenceReadReply =
  | { readonly status: "seen"; readonly now: number; readonly token: number; readonly value: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const fenceRead: Script<readonly [], FenceReadReply> = {
  lua: clock + fence + fenced + "return{'seen',a,p,'='..g}",
  replies: {
    seen: { token: "integer", value: "text" },
    kind: { kind: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["5719375797273c7253672b961499f1c59072bfd8", "f4ae98117a736a38d3e0d84fbe377da75cff0442"];
