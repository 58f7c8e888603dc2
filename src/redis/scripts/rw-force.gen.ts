// Generated from lua/rw-force.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, oust, record, rw, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type RwForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const rwForce: Script<readonly [id: string | number, mode: string | number, retention: string | number], RwForceReply> = {
  lua: "local y=tonumber(ARGV[4])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + vacate + "\n" + crowd + "\n" + oust + "\n" + rw + "\nlocal b,U=ARGV[2],false if N('rw')then return{'kind',a,l}end if not J(b)then local M=bk()if ARGV[3]=='read'then U=M>0 if not next(o)then ag=0 end if U then bB()M,L=0,0 end else for aS in pairs(o)do U=true aa(aS,'F')end if M==0 then ag=0 end end aa(b,U and'F'or'N')if not next(o)then h=math.max(h+1,a)end if not(U and ARGV[3]=='read')then M=math.max(M,L,aj())end j=math.min(j,math.max(a,aq(),M))F()ad()local R=aE(M<=a)if R then return R end end return{'forced',a,h,J(b)=='F'and 1 or 0}",
  sha: ["308929bd96b228a082b2ac8f71a90e9b74c27bc3", "360a6ddc91427bc2af2e9c7d806d51bb5974b6a1"],
  replies: ["forced token# had#", "kind kind", "late"],
  fresh: true,
};
