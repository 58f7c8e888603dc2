// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: clock + fresh + records + "local t,l,k=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local c=e+ARGV[4]*1000 local m,a,s,u,p=math.huge,0,nil,'',{}for i,P in ipairs(KEYS)do local J=w[i]\n" + record + ending + "local n=f[t]if not n or o~=l then s=s or R(t,l)u=u..i..' 'if V then v(redis.pcall)end else if c>n then n=c f[t],r=n,math.max(r,n)table.insert(p,v)end m=math.min(m,n)a=math.max(a,select(2,M()))end end if s then return{'lost',e,s,u}end for G,v in ipairs(p)do v()end return{'extended',e,m-e,a}",
  replies: "extended remaining# holds#|lost reason names|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["43a23297c980c1c62e6a63ee394b218877bbbf74", "fa78de175338e88148bae27a536c3069d90ab5bc"];
