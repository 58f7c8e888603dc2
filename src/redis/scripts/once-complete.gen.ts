// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + ending + "\n" + once + "\nlocal b,f=ARGV[2],tonumber(ARGV[3])if F~=b then local E=n[b]if V==0 or g~=f or not(E or v(b)=='e')then return{'lost',a,ah(b,f)}end if E then A(b,'r')end F,aV=b,ARGV[6]i=a+ARGV[4]*1000 x()w(ARGV[5])end return{'completed',a}",
  sha: ["74672cc596e1450227fc3d38f0fb2211153a247b", "32d38b7ec83a35810c92f42b1a3ece7be9f40747"],
  replies: ["completed", "lost reason", "late"],
  fresh: true,
};
