// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, read_names, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + read_names + "local b,f,t=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local p=a+ARGV[4]*1000 local d,e,I,V,o=math.huge,0,nil,'',{}for i,K in ipairs(KEYS)do local u=N[i]\n" + record + ending + "local c=l[b]if not c or h~=f then I=I or R(b,f)V=V..i..' 'if Q then x(redis.pcall)end else if p>c then c=p l[b],g=c,math.max(g,c)table.insert(o,x)end d=math.min(d,c)e=math.max(e,select(2,P()))end end if I then return{'lost',a,I,V}end for I,x in ipairs(o)do x()end return{'extended',a,d-a,e}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["5322668a29f0c1d26f9cd8ca1fa5162c6522fe25", "029cce834887c6933495b0b729761ece8d20d2b9"];
