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
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\nlocal n='fair'\n" + lock + "\n" + queue + "\nlocal b,R,Z=ARGV[2],ARGV[5],tonumber(ARGV[8])if F(n)then return{'kind',a,m}end if v(b)then return{'closed',a}end local I,e=ag()local s,aq=math.max(I-a,0),math.max(a-g,0)local c=o[b]if not c then if e>0 and R~=''and R==ab then if ARGV[7]=='0'then return{'owned',a,s}end if e==64 then return{'full',a,e}end else local L,ai,N=nil,0,0 if Z<0 then ai=bU()else local k=be(8)bZ(k,b)L,ai=cq(b)if Z>0 and L~=Z then return{'held',a,s,aq,u,ai,1,0}end N=#k==8 and ak or bw(ai,u,aq,s)end if e>0 or ai>0 then if Z>=0 then if not L then L=math.max(C+1,a)C=L end bE(b,L,N,ARGV[9])z()S(ARGV[4])x(ARGV[4])end return{'held',a,s,aq,u,ai,N,L or 0}end end if e==0 then g,ab,aE=math.max(g+1,a),R,ARGV[6]end c=a+ARGV[3]*1000 o[b],i,e=c,math.max(i,c),e+1 z()bD(b)x(ARGV[4])end return{'granted',a,g,c-a,e}",
  sha: ["05afaed6024ce4f562a16ad6ed18a251e9ebf408", "eb677d6258c90c641625a1e1352db428902f2139"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# ahead# back# ticket#", "owned remaining#", "full holds#", "closed", "kind kind", "late"],
  fresh: true,
};
