// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: clock + fresh + records + "local t,o,b=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local f=e+ARGV[4]*1000 local c,a,s,u,p=math.huge,0,nil,'',{}for i,N in ipairs(KEYS)do local J=g[i]\n" + record + ending + "local n=m[t]if not n or l~=o then s=s or Q(t,o)u=u..i..' 'if U then v(redis.pcall)end else if f>n then n=f m[t],r=n,math.max(r,n)table.insert(p,v)end c=math.min(c,n)a=math.max(a,select(2,P()))end end if s then return{'lost',e,s,u}end for G,v in ipairs(p)do v()end return{'extended',e,c-e,a}",
  replies: "extended remaining# holds#|lost reason names|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["3a6ed73f734e0f2decf1066f38cc1605a23fb0b7", "1fcf3b9e22e81b6fa8e4035646436292ecd80ec0"];
