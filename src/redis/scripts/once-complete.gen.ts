// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + ending + "\n" + once + "\nlocal b,f=ARGV[2],tonumber(ARGV[3])if H~=b then local G=n[b]if V==0 or g~=f or not(G or v(b)=='e')then return{'lost',a,ah(b,f)}end if G then A(b,'r')end H,aW=b,ARGV[6]i=a+ARGV[4]*1000 y()w(ARGV[5])end return{'completed',a}",
  sha: ["7965dd20ef197a46a9f034ce2cd6f1fabb1ffc16", "4067699514a9b55fce818ce7e3f63f0a66f0dcfe"],
  replies: ["completed", "lost reason", "late"],
  fresh: true,
};
