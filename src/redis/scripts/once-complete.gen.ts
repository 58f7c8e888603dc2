// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + ending + "\n" + once + "\nlocal b,f=ARGV[2],tonumber(ARGV[3])if H~=b then local G=o[b]if V==0 or g~=f or not(G or v(b)=='e')then return{'lost',a,aj(b,f)}end if G then B(b,'r')end H,aY=b,ARGV[6]i=a+ARGV[4]*1000 z()x(ARGV[5])end return{'completed',a}",
  sha: ["93e7bf5e04fdd7dd59a041980a48b03402160d83", "3eec28c033ac2d97e8fda7ca9b86ca49ecbd7ba9"],
  replies: ["completed", "lost reason", "late"],
  fresh: true,
};
