// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + ending + "\n" + once + "\nlocal b,e=ARGV[2],tonumber(ARGV[3])if I~=b then local H=o[b]if Y==0 or h~=e or not(H or w(b)=='e')then return{'lost',a,ao(b,e)}end if H then C(b,'r')end I,bf=b,ARGV[6]i=a+ARGV[4]*1000 A()y(ARGV[5])end return{'completed',a}",
  sha: ["7e4deb2e5bf6f747f325845cec88cd8176ba601d", "fe4542fbc407204067546aba78c945d7b7607359"],
  replies: ["completed", "lost reason", "late"],
  fresh: true,
};
