// Generated from lua/fence-read.lua by tools/build-lua.ts; do not edit.
import { clock, fence, fenced } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FenceReadReply =
  | { readonly status: "seen"; readonly now: number; readonly token: number; readonly value: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const fenceRead: Script<readonly [], FenceReadReply> = {
  lua: clock + fence + fenced + "return{'seen',a,e,'='..h}",
  replies: {
    seen: { token: "integer", value: "text" },
    kind: { kind: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["18ef6d176b469e1b7eade36581c3a52cfa4692f3", "f85a79d7e2620785940e1410766ebcb822e2e0b1"];
