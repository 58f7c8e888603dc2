// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local v=tonumber(ARGV[4])\n" + clock + fresh + one + record + vacate + crowd + oust + rw + "local b,ad=ARGV[2],false if L('rw')then return{'kind',a,k}end if not G(b)then local T=bn()if ARGV[3]=='read'then ad=T>0 if not next(o)then ag=0 end if ad then bI()T,N,at=0,0,0 end else for aE in pairs(o)do ad=true V(aE,'F')end if T==0 then ag=0 end end V(b,ad and'F'or'N')if not next(o)then h=math.max(h+1,a)end if not(ad and ARGV[3]=='read')then T=math.max(T,N,al())end i=math.min(i,math.max(a,au(),T))H()ae()local S=aB(T<=a)if S then return S end end return{'forced',a,h,G(b)=='F'and 1 or 0}",
  replies: "forced token# had#|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["174f09c21b7173cc99e11c1046b4c324104a1106", "c81156ca46fa35cfcf8f167d967e93998414e6de"];
