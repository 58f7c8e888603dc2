// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: clock + "\n" + fresh + "\n" + records + "\nlocal b,e=ARGV[2],tonumber(ARGV[3])local v=a+ARGV[4]*1000 local F,g,w,G,M=math.huge,0,nil,'',{}for o,u in ipairs(KEYS)do local C=al[o]\n" + record + "\n" + ending + "\nlocal c=h[b]if not c or d~=e then w=w or P(b,e)G=G..o..' 'if T then p(ARGV[5],redis.pcall)end else if v>c then c=v h[b],f=c,math.max(f,c)table.insert(M,p)end F=math.min(F,c)g=select(2,S())end end if w then return{'lost',a,w,G}end for D,p in ipairs(M)do p(ARGV[5])end return{'extended',a,F-a,g}",
  sha: ["579ba0526bb9bbfbf9f519d18b14d417775517a4", "fa1b3a74ac4fb02bb4bc02fcae7a45867e671ddf"],
  replies: ["extended remaining# holds#", "lost reason names", "late"],
  fresh: true,
};
