// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + ending + "\n" + once + "\nlocal b,d=ARGV[2],tonumber(ARGV[3])if I~=b then local H=o[b]if Y==0 or h~=d or not(H or w(b)=='e')then return{'lost',a,ao(b,d)}end if H then C(b,'r')end I,bf=b,ARGV[6]i=a+ARGV[4]*1000 A()y(ARGV[5])end return{'completed',a}",
  sha: ["18390fad2922f1eeb23b1927c36539d291b749ca", "0465219ba23802f5be05e8d0c4c8f40337d556e1"],
  replies: ["completed", "lost reason", "late"],
  fresh: true,
};
