// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + ending + "\n" + once + "\nlocal b,f=ARGV[2],tonumber(ARGV[3])if F~=b then local E=n[b]if V==0 or g~=f or not(E or w(b)=='e')then return{'lost',a,ah(b,f)}end if E then A(b,'r')end F,aV=b,ARGV[6]i=a+ARGV[4]*1000 y()x(ARGV[5])end return{'completed',a}",
  sha: ["29e70882ecea042fd39d13064abd91b8a3eaad05", "f1522859f6300b80c8c66185da3f2c277fbae3fc"],
  replies: ["completed", "lost reason", "late"],
  fresh: true,
};
