// Generated from lua/fence-read.lua by tools/build-lua.ts; do not edit.
import { clock, fence } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FenceReadReply =
  | { readonly status: "seen"; readonly now: number; readonly token: number; readonly value: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const fenceRead: Script<readonly [], FenceReadReply> = {
  lua: clock + fence + "return{'seen',a,i,'='..f}",
  replies: {
    seen: { token: "integer", value: "text" },
    kind: { kind: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["375ca8fb4e351a914e6c9dab89077e92bbee1b43", "ed35ea7091333dba62ae831e8539b16a1af0d60e"];
