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
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\nlocal o='fair'\n" + lock + "\n" + queue + "\nlocal b,R,X=ARGV[2],ARGV[5],tonumber(ARGV[8])if N(o)then return{'kind',a,m}end if v(b)then return{'closed',a}end local G,e=ae()local s,an=math.max(G-a,0),math.max(a-g,0)local c=n[b]if not c then if e>0 and R~=''and R==Z then if ARGV[7]=='0'then return{'owned',a,s}end if e==64 then return{'full',a,e}end else local I,ag,J=nil,0,0 if X<0 then ag=bT()else local k=bb(8)bY(k,b)I,ag=cp(b)if X>0 and I~=X then return{'held',a,s,an,t,ag,1,0}end J=#k==8 and ai or bv(ag,t,an,s)end if e>0 or ag>0 then if X>=0 then if not I then I=math.max(C+1,a)C=I end bD(b,I,J,ARGV[9])x()S(ARGV[4])w(ARGV[4])end return{'held',a,s,an,t,ag,J,I or 0}end end if e==0 then g,Z,aB=math.max(g+1,a),R,ARGV[6]end c=a+ARGV[3]*1000 n[b],i,e=c,math.max(i,c),e+1 x()bC(b)w(ARGV[4])end return{'granted',a,g,c-a,e}",
  sha: ["98e9a1f2faeec97ac94c61bac2634cdde32c2ef1", "43c8df1c3e209aa20bf544b9e1f8627ad303db90"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# ahead# back# ticket#", "owned remaining#", "full holds#", "closed", "kind kind", "late"],
  fresh: true,
};
