// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + ending + "\n" + once + "\nlocal b,e=ARGV[2],tonumber(ARGV[3])if O~=b then local s=h[b]if l==0 or d~=e or not(s or m(b)=='e')then return{'lost',a,P(b,e)}end if s then r(b,'r')end O,Y=b,ARGV[6]f=a+ARGV[4]*1000 N()p(ARGV[5])end return{'completed',a}",
  sha: ["7563a436d71b90209787396a955abb09b9df0b3a", "1b31bce323347a07486aa1dae6bb361e08a01d95"],
  replies: ["completed", "lost reason", "late"],
  fresh: true,
};
