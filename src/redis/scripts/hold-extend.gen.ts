// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal b,g,w=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local am=a+ARGV[4]*1000 local aE,e,ay,aF,aO=math.huge,0,nil,'',{}for p,al in ipairs(KEYS)do local ap=bj[p]\n" + record + "\n" + ending + "\nlocal c=o[b]if not c or h~=g then ay=ay or au(b,g)aF=aF..p..' 'if aR then z(redis.pcall)end else if am>c then c=am o[b],i=c,math.max(i,c)table.insert(aO,z)end aE=math.min(aE,c)e=math.max(e,select(2,aq()))end end if ay then return{'lost',a,ay,aF}end for T,z in ipairs(aO)do z()end return{'extended',a,aE-a,e}",
  replies: ["extended remaining# holds#", "lost reason names", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["89df8bacd866af21f2d99a52829956451072c9fd", "f7b04ecf0926cd436e8e4c49acc882a304067356"];
