// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local w=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + rw + "local b,ae=ARGV[2],false if N('rw')then return{'kind',a,k}end if not I(b)then local J=bo()if ARGV[3]=='read'then ae=J>0 if not next(o)then ah=0 end if ae then bK()J,Q,at=0,0,0 end else for aD in pairs(o)do ae=true W(aD,'F')end if J==0 then ah=0 end end W(b,ae and'F'or'N')if not next(o)then h=math.max(h+1,a)end if not(ae and ARGV[3]=='read')then J=math.max(J,Q,am())end i=math.min(i,math.max(a,au(),J))K()af()local U=aA(J<=a)if U then return U end end return{'forced',a,h,I(b)=='F'and 1 or 0}",
  replies: "forced token# had#|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["55f05b10da13eb21fb2921c3360b4f355955c60d", "eedf7ddd7f6b55d072e7a4b49cf364fd3e69186b"];
