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
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\nlocal o='fair'\n" + lock + "\n" + queue + "\nlocal b,R,X=ARGV[2],ARGV[5],tonumber(ARGV[8])if F(o)then return{'kind',a,m}end if v(b)then return{'closed',a}end local I,e=ae()local s,ao=math.max(I-a,0),math.max(a-g,0)local c=n[b]if not c then if e>0 and R~=''and R==Z then if ARGV[7]=='0'then return{'owned',a,s}end if e==64 then return{'full',a,e}end else local K,ag,L=nil,0,0 if X<0 then ag=bU()else local j=bc(8)bZ(j,b)K,ag=cq(b)if X>0 and K~=X then return{'held',a,s,ao,t,ag,1,0}end L=#j==8 and ai or bw(ag,t,ao,s)end if e>0 or ag>0 then if X>=0 then if not K then K=math.max(C+1,a)C=K end bE(b,K,L,ARGV[9])y()S(ARGV[4])w(ARGV[4])end return{'held',a,s,ao,t,ag,L,K or 0}end end if e==0 then g,Z,aB=math.max(g+1,a),R,ARGV[6]end c=a+ARGV[3]*1000 n[b],i,e=c,math.max(i,c),e+1 y()bD(b)w(ARGV[4])end return{'granted',a,g,c-a,e}",
  sha: ["7de0b8a5160ce9667d2ce8fc4687b4befd04ce35", "bb1f2ee57409825864cecde0d7833f700be42429"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# ahead# back# ticket#", "owned remaining#", "full holds#", "closed", "kind kind", "late"],
  fresh: true,
};
