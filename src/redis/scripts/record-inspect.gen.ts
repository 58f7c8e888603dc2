// Generated from lua/record-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, one, reading, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const recordInspect: Script<readonly [kind: string | number], RecordInspectReply> = {
  lua: "local q=0\n" + clock + one + record + reading + "return{'live',a,f,g-a,d,math.max(s-a,0),'='..r}",
  replies: {
    free: { token: "integer" },
    live: { token: "integer", remaining: "integer", holds: "integer", left: "integer", body: "text" },
    kind: { kind: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["4305ab642fb16dce1150d48b1abb510702d36847", "30b50dd796ee27308fdfc5efa2a17e0681ecae98"];
