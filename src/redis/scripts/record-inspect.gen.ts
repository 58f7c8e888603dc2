// Generated from lua/record-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, one, reading, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const recordInspect: Script<readonly [kind: string | number], RecordInspectReply> = {
  lua: "local E=0\n" + clock + one + record + reading + "return{'live',e,r,l-e,a,math.max(n-e,0),'='..b}",
  replies: "free token|live token remaining holds left body$|kind kind$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["25dfb0a8020bd5f8d1df611c28e7590c8ef7857a", "b1c101a4e3c762729221b314a4ca31805c11cbc6"];
