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
  lua: "local y=tonumber(ARGV[4])\n" + clock + fresh + one + record + crowd + "local n='fair'\n" + lock + queue + "local b,Z,ah=ARGV[2],ARGV[5],tonumber(ARGV[8])if K(n)then return{'kind',a,k}end if F(b)then return{'closed',a}end local w,d=as()local E,az=math.max(w-a,0),math.max(a-h,0)local c=o[b]if not c then if d>0 and Z~=''and Z==ao then if ARGV[7]=='0'then return{'owned',a,E}end if d==64 then return{'full',a,d}end else local O,at,P=nil,0,0 if ah<0 then at=cw()else local m=redis.call('ZRANGEBYSCORE',j,-a,a,'LIMIT',0,8)cA(m,b)O,at=cT(b)if ah>0 and O~=ah then return{'held',a,E,az,u,at,1,0}end P=#m==8 and ai or bR(at,u,az,E)end if d>0 or at>0 then if ah>=0 then if not O then O=math.max(M+1,a)M=O end ce(b,O,P,ARGV[9])H()ad()B()end return{'held',a,E,az,u,at,P,O or 0}end end if d==0 then h,ao,aL=math.max(h+1,a),Z,ARGV[6]end c=a+ARGV[3]*1000 o[b],i,d=c,math.max(i,c),d+1 H()cd(b)B()end return{'granted',a,h,c-a,d}",
  replies: "granted token# remaining# holds#|held remaining# age# tenure# ahead# back# ticket#|owned remaining#|full holds#|closed|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["7604e30d6ec24cc47f843be598a10856f586b2b6", "a99a36726f2a716a994bdac57b3aa40653cd3868"];
