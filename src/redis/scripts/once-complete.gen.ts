// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number; readonly stored: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + vacate + once + "local b,h=ARGV[2],tonumber(ARGV[3])if o~=b then local F=v(b)if j==0 or g~=h or F and F~='E'then return{'lost',a,R(b,h)}end if n[b]then K(b,'R',0)end o,k=b,ARGV[6]f=a+ARGV[4]*1000 G()if k==''then local C=T()if C then return C end else x()end end return{'completed',a,k==''and 0 or 1}",
  replies: {
    completed: { stored: "integer" },
    lost: { reason: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["dd2972ddead83037277726f8653686eb1b6efbd2", "16c6d0fc2a97cd16902ee88064946d91a74e9b0a"];
