// Generated from lua/fair-close.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, elsewhere, ending, fair, lock, queue, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const fairClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], FairCloseReply> = {
  lua: "local q,y=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + crowd + "local k='fair'\n" + lock + fair + queue + "local b,d=ARGV[1],tonumber(ARGV[2])local p=d==0 local f=l[b]local o=t(b)if p and not o and z(k)then return W(b,y)end if not o and(p or f and e==d and not z(k))then I(b,p and'C'or'R',y)o='R'if p then al(b)n=aw()elseif not next(l)then u=u+(math.abs(a-d-v)-u)/8 P(a-d)end end if T and not z(k)then g=math.min(g,math.max(L(),n,a))M()local c=Q(f)if c then return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,O(b,d,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["2cedacedbdde471a7835f231b58d84979d874d5f", "e4aced92202d64de8ac598ec39d8f0121e152cad"];
