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
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + once + "\nlocal b,f,bu=ARGV[2],tonumber(ARGV[6]),ARGV[7]if G('once')then return{'kind',a,m}end if w(b)then return{'closed',a}end if Z==''then Z=bu elseif bu~=''and bu~=Z then return{'mismatch',a}end if I~=''then return{'done',a,h,'='..bf}end local bL,d=next(o)if not bL then if f>0 and Y>=f then return{'exhausted',a,Y}end Y=Y+1 d=a+ARGV[3]*1000 o[b],h=d,math.max(h+1,a)i=math.max(a+ARGV[4]*1000,d)A()y(ARGV[5])elseif bL~=b then return{'running',a,d-a}end return{'granted',a,h,d-a,Y}",
  sha: ["53a618f6ab85b34f8474491c49428a41e7c543f8", "d819718dfedf45eff34dfbaf4fe36c463af7b8ef"],
  replies: ["granted token# remaining# attempt#", "running remaining#", "done token# result", "exhausted attempts#", "mismatch", "closed", "kind kind", "late"],
  fresh: true,
};
