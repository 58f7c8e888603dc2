// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal b,f=ARGV[2],tonumber(ARGV[3])local ak=a+ARGV[4]*1000 local ar,e,an,as,aD=math.huge,0,nil,'',{}for p,aj in ipairs(KEYS)do local au=aU[p]\n" + record + "\n" + ending + "\nlocal c=n[b]if not c or g~=f then an=an or ah(b,f)as=as..p..' 'if aH then w(ARGV[5],redis.pcall)end else if ak>c then c=ak n[b],i=c,math.max(i,c)table.insert(aD,w)end ar=math.min(ar,c)e=math.max(e,select(2,ae()))end end if an then return{'lost',a,an,as}end for P,w in ipairs(aD)do w(ARGV[5])end return{'extended',a,ar-a,e}",
  sha: ["93f59e174851ef3abdf49e95ef06695bc46fdc75", "f0ae68d214b407b04d49b6e5833bb84f5e415c2d"],
  replies: ["extended remaining# holds#", "lost reason names", "late"],
  fresh: true,
};
