// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local E=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + rw + "local i,L=ARGV[2],false if S('rw')then return{'kind',e,m}end if not W(i)then local c=ee()if ARGV[3]=='read'then L=c>0 if not next(f)then x=0 end if L then j()c,h,T=0,0,0 end else for e in pairs(f)do L=true B(e,'F')end if c==0 then x=0 end end B(i,L and'F'or'N')if not next(f)then r=math.max(r+1,e)end if not(L and ARGV[3]=='read')then c=math.max(c,h,R())end l=math.min(l,math.max(e,F(),c))K()Z()local t=C(c<=e)if t then return t end end return{'forced',e,r,W(i)=='F'and 1 or 0}",
  replies: "forced token had|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["6561f0082bbff2616d7c516cbafe89b618a1e88a", "b28f62291934e561abebbbb3b0586e1832a448b4"];
