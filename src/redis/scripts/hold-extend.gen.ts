// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: clock + fresh + records + "local b,g,v=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local ao=a+ARGV[4]*1000 local aF,d,ay,aG,aQ=math.huge,0,nil,'',{}for q,an in ipairs(KEYS)do local as=bm[q]\n" + record + ending + "local c=o[b]if not c or h~=g then ay=ay or aw(b,g)aG=aG..q..' 'if aU then C(redis.pcall)end else if ao>c then c=ao o[b],i=c,math.max(i,c)table.insert(aQ,C)end aF=math.min(aF,c)d=math.max(d,select(2,au()))end end if ay then return{'lost',a,ay,aG}end for X,C in ipairs(aQ)do C()end return{'extended',a,aF-a,d}",
  replies: "extended remaining# holds#|lost reason names|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["7be110b51c1c0ea677eb14925cfc513de6de7e67", "775a54f27f6777f6d726d8cf63a4ce412bd8eeb8"];
