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
  lua: "local y=tonumber(ARGV[4])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\nlocal n='fair'\n" + lock + "\n" + queue + "\nlocal b,X,ah=ARGV[2],ARGV[5],tonumber(ARGV[8])if N(n)then return{'kind',a,l}end if J(b)then return{'closed',a}end local u,d=aq()local D,az=math.max(u-a,0),math.max(a-h,0)local c=o[b]if not c then if d>0 and X~=''and X==an then if ARGV[7]=='0'then return{'owned',a,D}end if d==64 then return{'full',a,d}end else local O,as,P=nil,0,0 if ah<0 then as=cr()else local m=redis.call('ZRANGEBYSCORE',i,-a,a,'LIMIT',0,8)cv(m,b)O,as=cR(b)if ah>0 and O~=ah then return{'held',a,D,az,s,as,1,0}end P=#m==8 and ai or bO(as,s,az,D)end if d>0 or as>0 then if ah>=0 then if not O then O=math.max(K+1,a)K=O end cb(b,O,P,ARGV[9])F()ad()z()end return{'held',a,D,az,s,as,P,O or 0}end end if d==0 then h,an,aJ=math.max(h+1,a),X,ARGV[6]end c=a+ARGV[3]*1000 o[b],j,d=c,math.max(j,c),d+1 F()ca(b)z()end return{'granted',a,h,c-a,d}",
  sha: ["66d30ba0036714da1e15d32bfdba39f1108a8de0", "5fe636dd9ea7b13b476a517dfac64d6b273caf03"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# ahead# back# ticket#", "owned remaining#", "full holds#", "closed", "kind kind", "late"],
  fresh: true,
};
