// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number; readonly stored: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local r=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + vacate + once + "local b,e=ARGV[2],tonumber(ARGV[3])if o~=b then local H=u(b)if i==0 or f~=e or H and H~='E'then return{'lost',a,O(b,e)}end if m[b]then I(b,'R',0)end o,j=b,ARGV[6]g=a+ARGV[4]*1000 E()if j==''then local c=Q()if c then return c end else x()end end return{'completed',a,j==''and 0 or 1}",
  replies: {
    completed: { stored: "integer" },
    lost: { reason: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["cce1146ba5463cc468ab502733c50975c499974d", "8d110c975dffc5612af20580609b8748583bbedd"];
