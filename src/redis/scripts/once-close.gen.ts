// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { clock, elsewhere, ending, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], OnceCloseReply> = {
  lua: "local t,z=tonumber(ARGV[3]),tonumber(ARGV[4])\n" + clock + read_name + record + ending + vacate + elsewhere + once + "local b,f=ARGV[1],tonumber(ARGV[2])local r=f==0 local D=l[b]local p=w(b)if r and not p and B('once')then return V(b,z)end if not p and(r or D and h==f and not B('once'))then if r and D then i=i-1 end O(b,r and'C'or'R',z)if not r and z>0 then O(b,'R',0)end p='R'end if Q and not B('once')then C()if i==0 then g,s=0,''end local E=U(D)if E then return E end end if r or p=='R'then return{'closed',a}end return{'lost',a,R(b,f)}",
  replies: {
    closed: {},
    lost: { reason: "text" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["0dd86158907bcafed0a1e0b214f5b90c5ea1a746", "2c588a94af9d879d2d637f4dc0b24f95f33bae86"];
