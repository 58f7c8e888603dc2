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
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + once + "\nlocal b,e,bt=ARGV[2],tonumber(ARGV[6]),ARGV[7]if G('once')then return{'kind',a,m}end if w(b)then return{'closed',a}end if Z==''then Z=bt elseif bt~=''and bt~=Z then return{'mismatch',a}end if I~=''then return{'done',a,h,'='..bf}end local bJ,c=next(o)if not bJ then if e>0 and Y>=e then return{'exhausted',a,Y}end Y=Y+1 c=a+ARGV[3]*1000 o[b],h=c,math.max(h+1,a)i=math.max(a+ARGV[4]*1000,c)A()y(ARGV[5])elseif bJ~=b then return{'running',a,c-a}end return{'granted',a,h,c-a,Y}",
  sha: ["385819fa26fb854a2be484799eabd6d1e923bb09", "48bf58e99a2a4467476cddf790032fe62f7dade8"],
  replies: ["granted token# remaining# attempt#", "running remaining#", "done token# result", "exhausted attempts#", "mismatch", "closed", "kind kind", "late"],
  fresh: true,
};
