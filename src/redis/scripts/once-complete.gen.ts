// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local q=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + vacate + once + "local b,d=ARGV[2],tonumber(ARGV[3])if x~=b then local H=t(b)if i==0 or e~=d or H and H~='E'then return{'lost',a,O(b,d)}end if l[b]then I(b,'R',0)end x,j=b,ARGV[6]g=a+ARGV[4]*1000 D()if j==''then local c=Q()if c then return c end else w()end end return{'completed',a}",
  replies: {
    completed: {},
    lost: { reason: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["b49015bbdeeeb9c71e762a646dc8f0b6ecafa4cc", "5cc835aa491ef814166b1bd61f0b3d1b20d168af"];
