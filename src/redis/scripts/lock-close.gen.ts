// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, lock, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], LockCloseReply> = {
  lua: "local s,y=tonumber(ARGV[3]),tonumber(ARGV[4])local k='lock'\n" + clock + read_name + record + ending + vacate + elsewhere + lock + "local b,f=ARGV[1],tonumber(ARGV[2])local q=f==0 local d=m[b]local p=u(b)if q and not p and z(k)then return Z(b,y)end if not p and(q or d and g==f and not z(k))then I(b,q and'C'or'R',y)p='R'if not q and not next(m)then T(a-f)end end if O and not z(k)then e=math.min(e,math.max(L(),a))F()local c=R(d)if c then return c end end if q or p=='R'then return{'closed',a}end return{'lost',a,P(b,f,nil,'unknown')}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["b1709520a926c7291c5fdf42380f66a7e2948f7b", "55eb1b47dfdb1a9f6ffac98b3f35ccb9078ab1d2"];
