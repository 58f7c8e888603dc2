// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: clock + fresh + records + "local b,g,w=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local ap=a+ARGV[4]*1000 local aE,d,ax,aG,aP=math.huge,0,nil,'',{}for q,ao in ipairs(KEYS)do local ab=bn[q]\n" + record + ending + "local c=o[b]if not c or h~=g then ax=ax or aw(b,g)aG=aG..q..' 'if aT then D(redis.pcall)end else if ap>c then c=ap o[b],i=c,math.max(i,c)table.insert(aP,D)end aE=math.min(aE,c)d=math.max(d,select(2,au()))end end if ax then return{'lost',a,ax,aG}end for Y,D in ipairs(aP)do D()end return{'extended',a,aE-a,d}",
  replies: "extended remaining# holds#|lost reason names|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["adc4651394f7bf75492a08f347a7b290878183ec", "d86e0be6c189b97b9eb8c9900642e5c2e1901cd1"];
