// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local w=tonumber(ARGV[5])\n" + clock + fresh + one + record + ending + once + "local b,g=ARGV[2],tonumber(ARGV[3])if L~=b then local A=I(b)if ad==0 or h~=g or A and A~='E'then return{'lost',a,aw(b,g)}end if o[b]then W(b,'R',0)end L,bq=b,ARGV[6]i=a+ARGV[4]*1000 K()D()end return{'completed',a}",
  replies: "completed|lost reason|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["a71c871221ad705625ac228f38973b23b47294a6", "161a6c71c8496dbd7f9c30f2cc2f2e35a5fa58fd"];
