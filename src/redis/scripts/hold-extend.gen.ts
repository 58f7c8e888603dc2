// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal b,f=ARGV[2],tonumber(ARGV[3])local am=a+ARGV[4]*1000 local au,e,ap,av,aG=math.huge,0,nil,'',{}for p,al in ipairs(KEYS)do local aw=aV[p]\n" + record + "\n" + ending + "\nlocal c=o[b]if not c or g~=f then ap=ap or aj(b,f)av=av..p..' 'if aJ then x(ARGV[5],redis.pcall)end else if am>c then c=am o[b],i=c,math.max(i,c)table.insert(aG,x)end au=math.min(au,c)e=math.max(e,select(2,ag()))end end if ap then return{'lost',a,ap,av}end for P,x in ipairs(aG)do x(ARGV[5])end return{'extended',a,au-a,e}",
  sha: ["fc25a1dd77e37471dd6c3e8bc659712e3f146a6d", "9048e341c6d0f2575259057a944eb693df38d2ec"],
  replies: ["extended remaining# holds#", "lost reason names", "late"],
  fresh: true,
};
