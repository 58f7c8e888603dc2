// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal b,e=ARGV[2],tonumber(ARGV[3])local ar=a+ARGV[4]*1000 local aB,c,au,aC,aM=math.huge,0,nil,'',{}for p,aq in ipairs(KEYS)do local ak=bc[p]\n" + record + "\n" + ending + "\nlocal d=o[b]if not d or h~=e then au=au or ao(b,e)aC=aC..p..' 'if aP then y(ARGV[5],redis.pcall)end else if ar>d then d=ar o[b],i=d,math.max(i,d)table.insert(aM,y)end aB=math.min(aB,d)c=math.max(c,select(2,al()))end end if au then return{'lost',a,au,aC}end for R,y in ipairs(aM)do y(ARGV[5])end return{'extended',a,aB-a,c}",
  sha: ["63c5cd3c919756cc7fe40e4c520e5f035d0c61cb", "585a0beaea2e48fad1520b66b0e53f4316245451"],
  replies: ["extended remaining# holds#", "lost reason names", "late"],
  fresh: true,
};
