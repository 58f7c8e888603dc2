// Generated from lua/once-begin.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, once, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceBeginReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly attempt: number }
  | { readonly status: "running"; readonly now: number; readonly remaining: number }
  | { readonly status: "done"; readonly now: number; readonly token: number; readonly result: string }
  | { readonly status: "exhausted"; readonly now: number; readonly attempts: number }
  | { readonly status: "mismatch"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const onceBegin: Script<readonly [id: string | number, lease: string | number, ttl: string | number, retention: string | number, maxAttempts: string | number, fingerprint: string | number], OnceBeginReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + once + "\nlocal b,d,bl=ARGV[2],tonumber(ARGV[6]),ARGV[7]if F('once')then return{'kind',a,m}end if v(b)then return{'closed',a}end if ad==''then ad=bl elseif bl~=''and bl~=ad then return{'mismatch',a}end if H~=''then return{'done',a,g,'='..aW}end local bz,c=next(n)if not bz then if d>0 and V>=d then return{'exhausted',a,V}end V=V+1 c=a+ARGV[3]*1000 n[b],g=c,math.max(g+1,a)i=math.max(a+ARGV[4]*1000,c)y()w(ARGV[5])elseif bz~=b then return{'running',a,c-a}end return{'granted',a,g,c-a,V}",
  sha: ["73d39a1edbd6cabb1a0b4b9813586a642bf858c6", "e60f5562e3fded115d2f45fad8c346bb0a36ad21"],
  replies: ["granted token# remaining# attempt#", "running remaining#", "done token# result", "exhausted attempts#", "mismatch", "closed", "kind kind", "late"],
  fresh: true,
};
