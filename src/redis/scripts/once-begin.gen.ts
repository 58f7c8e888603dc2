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
  lua: "local y=tonumber(ARGV[5])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + once + "\nlocal b,e,bD=ARGV[2],tonumber(ARGV[6]),ARGV[7]if N('once')then return{'kind',a,l}end if J(b)then return{'closed',a}end if ae==''then ae=bD elseif bD~=''and bD~=ae then return{'mismatch',a}end if G~=''then return{'done',a,h,'='..bm}end local bW,c=next(o)if not bW then if e>0 and ac>=e then return{'exhausted',a,ac}end ac=ac+1 c=a+ARGV[3]*1000 o[b],h=c,math.max(h+1,a)j=math.max(a+ARGV[4]*1000,c)F()z()elseif bW~=b then return{'running',a,c-a}end return{'granted',a,h,c-a,ac}",
  sha: ["9e03f93199c77c6d5814eb27207bc11b6930909d", "a23516d19cb95e19354be6587ec0339358ba5b1b"],
  replies: ["granted token# remaining# attempt#", "running remaining#", "done token# result", "exhausted attempts#", "mismatch", "closed", "kind kind", "late"],
  fresh: true,
};
