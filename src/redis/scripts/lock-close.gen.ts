// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, lock, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: "local s,B=tonumber(ARGV[3]),tonumber(ARGV[4])local l='lock'\n" + clock + read_name + record + ending + vacate + elsewhere + lock + "local b,g=ARGV[1],tonumber(ARGV[2])local q=g==0 local d=m[b]local p=v(b)if q and not p and z(l)then return ab(b,B)end if not p and(q or d and f==g and not z(l))then J(b,q and'C'or'R',B)p='R'if not q and not next(m)then K(a-g)end end if R and not z(l)then e=math.min(e,math.max(N(),a))G()local C=Q(d)if C then return C end end if q or p=='R'then return{'closed',a}end return{'lost',a,S(b,g,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["20e7cf5d2e22fb50a9ec45fc0a9bb5667ddf23ff", "d28a9790a29bea6a092b23b08673be5b7a560270"];
