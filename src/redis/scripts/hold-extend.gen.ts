// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal b,g,w=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local am=a+ARGV[4]*1000 local aE,d,ay,aF,aO=math.huge,0,nil,'',{}for p,al in ipairs(KEYS)do local ap=bj[p]\n" + record + "\n" + ending + "\nlocal c=o[b]if not c or h~=g then ay=ay or au(b,g)aF=aF..p..' 'if aR then z(redis.pcall)end else if am>c then c=am o[b],i=c,math.max(i,c)table.insert(aO,z)end aE=math.min(aE,c)d=math.max(d,select(2,aq()))end end if ay then return{'lost',a,ay,aF}end for X,z in ipairs(aO)do z()end return{'extended',a,aE-a,d}",
  replies: ["extended remaining# holds#", "lost reason names", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["8fcde5d5ba97772fca6d68725c3da8ceb55ba302", "0e24b1c5f543ff79e9d8c598282ab7156c781bfe"];
