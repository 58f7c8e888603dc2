// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal b,d=ARGV[2],tonumber(ARGV[3])local ar=a+ARGV[4]*1000 local aA,g,au,aB,aL=math.huge,0,nil,'',{}for p,aq in ipairs(KEYS)do local ak=bb[p]\n" + record + "\n" + ending + "\nlocal c=o[b]if not c or h~=d then au=au or ao(b,d)aB=aB..p..' 'if aP then y(ARGV[5],redis.pcall)end else if ar>c then c=ar o[b],i=c,math.max(i,c)table.insert(aL,y)end aA=math.min(aA,c)g=math.max(g,select(2,al()))end end if au then return{'lost',a,au,aB}end for N,y in ipairs(aL)do y(ARGV[5])end return{'extended',a,aA-a,g}",
  sha: ["b04be47c49939b34e9ee08102a5267c9028bf266", "34c8f1527048c497edd5f02ecd5d1642e2930619"],
  replies: ["extended remaining# holds#", "lost reason names", "late"],
  fresh: true,
};
