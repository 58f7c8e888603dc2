// Generated from lua/record-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, read_name, reading, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RecordInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const recordInspect: Script<readonly [kind: string | number], RecordInspectReply> = {
  lua: "local w=0\n" + clock + read_name + record + reading + "return{'live',a,g,h-a,e,math.max(n-a,0),'='..D}",
  replies: {
    free: { token: "integer" },
    live: { token: "integer", remaining: "integer", holds: "integer", left: "integer", body: "text" },
    kind: { kind: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["8e3d5e9173d0f374d387b6d7de51054a1333863f", "4249d02eb31fa7947fc7fe1742e4eb7b02b60846"];
