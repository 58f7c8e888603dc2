// Generated from lua/fence-read.lua by tools/build-lua.ts; do not edit.
import { clock, fence, fenced } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FenceReadReply =
  | { readonly status: "seen"; readonly now: number; readonly token: number; readonly value: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const fenceRead: Script<readonly [], FenceReadReply> = {
  lua: clock + fence + fenced + "return{'seen',a,d,'='..h}",
  replies: {
    seen: { token: "integer", value: "text" },
    kind: { kind: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["763b52e0677c8338ebeaf0b06e694ac240e21c8c", "d1b448ed066280948713581c2850c0745208fec2"];
