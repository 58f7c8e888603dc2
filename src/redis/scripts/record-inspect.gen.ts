// Generated from lua/record-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, one, reading, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const recordInspect: Script<readonly [kind: string | number], RecordInspectReply> = {
  lua: "local b=0\n" + clock + one + record + reading + "return{'live',e,l,r-e,a,math.max(y-e,0),'='..k}",
  replies: "free token|live token remaining holds left body$|kind kind$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["41807714b492463aab0fd5160ffdf05c8006a295", "139f8193c3530b478dbb4a28cd908241dbdf82a3"];
