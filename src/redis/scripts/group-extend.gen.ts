// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, read_names, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + read_names + "local b,d,q=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local n=a+ARGV[4]*1000 local p,f,j,E,u=math.huge,0,nil,'',{}for i,K in ipairs(KEYS)do local A=J[i]\n" + record + ending + "local c=l[b]if not c or e~=d then j=j or O(b,d)E=E..i..' 'if T then w(redis.pcall)end else if n>c then c=n l[b],g=c,math.max(g,c)table.insert(u,w)end p=math.min(p,c)f=math.max(f,select(2,L()))end end if j then return{'lost',a,j,E}end for E,w in ipairs(u)do w()end return{'extended',a,p-a,f}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["b6250e2393f31398f39b8c5e0b399fafa8b67ff8", "95d1f2002fa5f25866b31092f9e3970e0b7f34f4"];
