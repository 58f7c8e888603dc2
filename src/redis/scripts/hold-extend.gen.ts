// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: clock + fresh + records + "local b,g,y=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local am=a+ARGV[4]*1000 local aE,d,ay,aF,aP=math.huge,0,nil,'',{}for q,al in ipairs(KEYS)do local aq=bk[q]\n" + record + ending + "local c=o[b]if not c or h~=g then ay=ay or av(b,g)aF=aF..q..' 'if aS then B(redis.pcall)end else if am>c then c=am o[b],i=c,math.max(i,c)table.insert(aP,B)end aE=math.min(aE,c)d=math.max(d,select(2,as()))end end if ay then return{'lost',a,ay,aF}end for X,B in ipairs(aP)do B()end return{'extended',a,aE-a,d}",
  replies: "extended remaining# holds#|lost reason names|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["0119922e622282e3a3f7cc64f2096e6439617e60", "bc7e82ddbf4201f82f77919b1e757874ec25378c"];
