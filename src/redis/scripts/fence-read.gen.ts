// Generated from lua/fence-read.lua by tools/build-lua.ts; do not edit.
import { clock, fence } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FenceReadReply =
  | { readonly status: "seen"; readonly now: number; readonly token: number; readonly value: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const fenceRead: Script<readonly [], FenceReadReply> = {
  lua: clock + fence + "return{'seen',a,d,'='..h}",
  replies: {
    seen: { token: "integer", value: "text" },
    kind: { kind: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["bb9ea1d00e24e3832db75ade470d96f84eed28da", "35c2a534853bc451e4114f572da8697d3800cb8a"];
