// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal b,d=ARGV[2],tonumber(ARGV[3])local ar=a+ARGV[4]*1000 local aB,g,au,aC,aM=math.huge,0,nil,'',{}for p,aq in ipairs(KEYS)do local ak=bc[p]\n" + record + "\n" + ending + "\nlocal c=o[b]if not c or h~=d then au=au or ao(b,d)aC=aC..p..' 'if aP then y(ARGV[5],redis.pcall)end else if ar>c then c=ar o[b],i=c,math.max(i,c)table.insert(aM,y)end aB=math.min(aB,c)g=math.max(g,select(2,al()))end end if au then return{'lost',a,au,aC}end for N,y in ipairs(aM)do y(ARGV[5])end return{'extended',a,aB-a,g}",
  sha: ["20672093623abf2159314675c30cf35f5fbcc97c", "1c0df124e9d82651c17f784a8709dbc67a0814cb"],
  replies: ["extended remaining# holds#", "lost reason names", "late"],
  fresh: true,
};
