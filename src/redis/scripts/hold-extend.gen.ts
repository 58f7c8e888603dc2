// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: "local b,e,r=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + "local c=m[b]if not c or f~=e then if U then x(redis.pcall)end return{'lost',a,O(b,e)}end local l=a+ARGV[4]*1000 if l>c then c=l m[b],g=c,math.max(g,c)x()end return{'extended',a,c-a,select(2,L())}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["1b026a0e6b697f93f01080b659c843bc5af766ea", "6cc1aee440eff0155b70a167fe2091fc32ce36b6"];
