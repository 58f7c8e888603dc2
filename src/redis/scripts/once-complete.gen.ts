// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local r=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + vacate + once + "local b,e=ARGV[2],tonumber(ARGV[3])if o~=b then local H=u(b)if i==0 or f~=e or H and H~='E'then return{'lost',a,O(b,e)}end if m[b]then I(b,'R',0)end o,j=b,ARGV[6]g=a+ARGV[4]*1000 E()if j==''then local c=Q()if c then return c end else x()end end return{'completed',a}",
  replies: {
    completed: {},
    lost: { reason: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["f2427e25a164f60cf9891d6d3637175470e2cdba", "c9b673833085a18789ce72c1f6c3f4edc1accea9"];
