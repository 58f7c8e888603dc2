// Generated from lua/fair-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, lock, one, queue, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly ahead: number; readonly back: number; readonly ticket: number }
  | { readonly status: "owned"; readonly now: number; readonly remaining: number }
  | { readonly status: "full"; readonly now: number; readonly holds: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const fairAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, owner: string | number, label: string | number, reentrant: string | number, ticket: string | number, grace: string | number], FairAcquireReply> = {
  lua: "local w=tonumber(ARGV[4])\n" + clock + fresh + one + record + crowd + "local n='fair'\n" + lock + queue + "local b,R,aj=ARGV[2],ARGV[5],tonumber(ARGV[8])if N(n)then return{'kind',a,k}end if I(b)then return{'closed',a}end local z,d=au()local t,ay=math.max(z-a,0),math.max(a-h,0)local c=o[b]if not c then if d>0 and R~=''and R==ar then if ARGV[7]=='0'then return{'owned',a,t}end if d==64 then return{'full',a,d}end else local S,av,T=nil,0,0 if aj<0 then av=cD()else local m=redis.call('ZRANGEBYSCORE',j,-a,a,'LIMIT',0,8)cH(m,b)S,av=db(b)if aj>0 and S~=aj then return{'held',a,t,ay,y,av,1,0}end T=#m==8 and ai or bX(av,y,ay,t)end if d>0 or av>0 then if aj>=0 then if not S then S=math.max(P+1,a)P=S end ck(b,S,T,ARGV[9])K()af()D()end return{'held',a,t,ay,y,av,T,S or 0}end end if d==0 then h,ar,aM=math.max(h+1,a),R,ARGV[6]end c=a+ARGV[3]*1000 o[b],i,d=c,math.max(i,c),d+1 K()cj(b)D()end return{'granted',a,h,c-a,d}",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# ahead# back# ticket#|owned remaining#|full holds#|closed|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["4d7b362a1dadd15456cba681ee8f241c15f6281a", "6255d4ed2a20e09b2cd9cf068d405d030af2786b"];
