// Generated from lua/group-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, read_names, record, usual_tenure, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const groupClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], GroupCloseReply> = {
  lua: clock + read_names + "local b,h,t,A=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local r=h==0 local m,d,C,k='lock',nil,nil,''for j,J in ipairs(KEYS)do local q=y[j]\n" + record + ending + vacate + lock + usual_tenure + "local e=n[b]local p=v(b)local c=B(m)if not p and(r or e and g==h and not c)and f<math.huge then K(b,r and'C'or'R',A)p='R'if not r and not next(n)then l(a-h)end end if Q and(r or not c)then if not c then f=math.min(f,math.max(N(),a))G()end C=T(e and not c)or C end if f==math.huge or not r and p~='R'then d=d or R(b,h,nil,'unknown')k=k..j..' 'end end if C then return C end if d then return{'lost',a,d,k}end return{'closed',a}",
  replies: {
    closed: {},
    lost: { reason: "text", names: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["e440d9d3ce588ff3b218bd875abafc2f0a78c4ab", "a4b6ac66ff85f8149e42ba6413a3a05a6951c36f"];
