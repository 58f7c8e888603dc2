// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal b,f=ARGV[2],tonumber(ARGV[3])local ak=a+ARGV[4]*1000 local ar,e,am,as,aD=math.huge,0,nil,'',{}for r,aj in ipairs(KEYS)do local au=aT[r]\n" + record + "\n" + ending + "\nlocal c=n[b]if not c or g~=f then am=am or ah(b,f)as=as..r..' 'if aH then x(ARGV[5],redis.pcall)end else if ak>c then c=ak n[b],i=c,math.max(i,c)table.insert(aD,x)end ar=math.min(ar,c)e=math.max(e,select(2,ae()))end end if am then return{'lost',a,am,as}end for O,x in ipairs(aD)do x(ARGV[5])end return{'extended',a,ar-a,e}",
  sha: ["b07c6e6f71bc432719bfbec3249b5f2d8835e014", "84010d7066b509faa2e5036e3f18709c55c078f2"],
  replies: ["extended remaining# holds#", "lost reason names", "late"],
  fresh: true,
};
