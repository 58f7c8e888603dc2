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
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + once + "\nlocal b,d,bn=ARGV[2],tonumber(ARGV[6]),ARGV[7]if F('once')then return{'kind',a,m}end if v(b)then return{'closed',a}end if W==''then W=bn elseif bn~=''and bn~=W then return{'mismatch',a}end if H~=''then return{'done',a,g,'='..aY}end local bz,c=next(o)if not bz then if d>0 and V>=d then return{'exhausted',a,V}end V=V+1 c=a+ARGV[3]*1000 o[b],g=c,math.max(g+1,a)i=math.max(a+ARGV[4]*1000,c)z()x(ARGV[5])elseif bz~=b then return{'running',a,c-a}end return{'granted',a,g,c-a,V}",
  sha: ["468a01997f2c411388def9712baaea83aa098a12", "08387e1560cae9c82669b174278a635fe8fcf9dc"],
  replies: ["granted token# remaining# attempt#", "running remaining#", "done token# result", "exhausted attempts#", "mismatch", "closed", "kind kind", "late"],
  fresh: true,
};
