// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal b,g,w=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local am=a+ARGV[4]*1000 local aF,d,az,aG,aP=math.huge,0,nil,'',{}for p,al in ipairs(KEYS)do local aq=bk[p]\n" + record + "\n" + ending + "\nlocal c=o[b]if not c or h~=g then az=az or av(b,g)aG=aG..p..' 'if aS then z(redis.pcall)end else if am>c then c=am o[b],i=c,math.max(i,c)table.insert(aP,z)end aF=math.min(aF,c)d=math.max(d,select(2,ar()))end end if az then return{'lost',a,az,aG}end for X,z in ipairs(aP)do z()end return{'extended',a,aF-a,d}",
  replies: ["extended remaining# holds#", "lost reason names", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["980d59b5131137f1230b01951b9880ce20c5fc7f", "92db038f6d5afe9af28fe20a8319a8af250ad8fe"];
