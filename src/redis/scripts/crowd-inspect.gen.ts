// Generated from lua/crowd-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, count_crowd, read_name, reading, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const crowdInspect: Script<readonly [kind: string | number], CrowdInspectReply> = {
  lua: "local w=0\n" + clock + read_name + record + reading + count_crowd + "return{'live',a,g,h-a,e,math.max(n-a,0),'='..D,k,c,b}",
  replies: {
    free: { token: "integer" },
    live: { token: "integer", remaining: "integer", holds: "integer", left: "integer", body: "text", many: "integer", waiting: "integer", behind: "integer" },
    kind: { kind: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["a34e42b6579afc39638cdfe2576baf31af26e001", "6966b3429624a35068f51f8b5bf90399a32ff60b"];
