// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + records + "local t,o,b=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local c=e+ARGV[4]*1000 local m,a,s,u,p=math.huge,0,nil,'',{}for i,P in ipairs(KEYS)do local J=x[i]\n" + record + ending + "local n=f[t]if not n or l~=o then s=s or M(t,o)u=u..i..' 'if S then y(redis.pcall)end else if c>n then n=c f[t],r=n,math.max(r,n)table.insert(p,y)end m=math.min(m,n)a=math.max(a,select(2,K()))end end if s then return{'lost',e,s,u}end for H,y in ipairs(p)do y()end return{'extended',e,m-e,a}",
  replies: "extended remaining# holds#|lost reason names|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["af15eeeed70bc673224af44b07ecf94885449d59", "ac7b662c95e40243308a7c4026285073da94afb9"];
