// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local w=tonumber(ARGV[5])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + ending + "\n" + once + "\nlocal b,g=ARGV[2],tonumber(ARGV[3])if I~=b then local v=F(b)if ac==0 or h~=g or v and v~='E'then return{'lost',a,av(b,g)}end if o[b]then U(b,'R',0)end I,bn=b,ARGV[6]i=a+ARGV[4]*1000 G()z()end return{'completed',a}",
  replies: ["completed", "lost reason", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["3e7f34a296fefb978dda5c5b5396e7ac65d36262", "c50ac6b96fdd03aaf209480c30e3ca72dba162b6"];
