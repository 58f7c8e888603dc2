// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal b,g,y=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local am=a+ARGV[4]*1000 local aC,d,ay,aD,aN=math.huge,0,nil,'',{}for p,al in ipairs(KEYS)do local ap=bj[p]\n" + record + "\n" + ending + "\nlocal c=o[b]if not c or h~=g then ay=ay or au(b,g)aD=aD..p..' 'if aQ then z(redis.pcall)end else if am>c then c=am o[b],j=c,math.max(j,c)table.insert(aN,z)end aC=math.min(aC,c)d=math.max(d,select(2,aq()))end end if ay then return{'lost',a,ay,aD}end for T,z in ipairs(aN)do z()end return{'extended',a,aC-a,d}",
  sha: ["89606d918c9fd3869112b3b5b713dc01f90041f7", "b55fa35f0c477d1a2cd7546bbe5929b31568805a"],
  replies: ["extended remaining# holds#", "lost reason names", "late"],
  fresh: true,
};
