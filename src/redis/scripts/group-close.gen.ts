// Generated from lua/group-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const groupClose: Script<readonly [id: string | number, token: string | number, retention: string | number, due: string | number], GroupCloseReply> = {
  lua: clock + records + "local i,o,E,A=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local O=o==0 local u,s,t,T='lock',nil,nil,''for d,N in ipairs(KEYS)do local M=g[d]\n" + record + ending + vacate + lock + "local a=f[i]local y=W(i)local h=S(u)if not y and(O or a and r==o and not h)and l<math.huge then B(i,O and'C'or'R',A)y='R'if not O and not next(f)then R(e-o)end end if J and(O or not h)then if not h then l=math.min(l,math.max(F(),e))K()end t=C(a and not h)or t end if l==math.huge or not O and y~='R'then s=s or D(i,o,nil,'unknown')T=T..d..' 'end end if t then return t end if s then return{'lost',e,s,T}end return{'closed',e}",
  replies: "closed|lost reason$ names$",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["70a3768b8b3a5782d0a16720604214ac2de49c3e", "41be1e7334a546eb052a588cef747e20014fca08"];
