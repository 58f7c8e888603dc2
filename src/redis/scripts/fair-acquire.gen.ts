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
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\nlocal n='fair'\n" + lock + "\n" + queue + "\nlocal b,T,ad=ARGV[2],ARGV[5],tonumber(ARGV[8])if G(n)then return{'kind',a,m}end if w(b)then return{'closed',a}end local J,g=al()local s,av=math.max(J-a,0),math.max(a-h,0)local c=o[b]if not c then if g>0 and T~=''and T==af then if ARGV[7]=='0'then return{'owned',a,s}end if g==64 then return{'full',a,g}end else local M,an,P=nil,0,0 if ad<0 then an=cf()else local k=bk(8)cj(k,b)M,an=cE(b)if ad>0 and M~=ad then return{'held',a,s,av,u,an,1,0}end P=#k==8 and ap or bE(an,u,av,s)end if g>0 or an>0 then if ad>=0 then if not M then M=math.max(D+1,a)D=M end bP(b,M,P,ARGV[9])A()U(ARGV[4])y(ARGV[4])end return{'held',a,s,av,u,an,P,M or 0}end end if g==0 then h,af,aJ=math.max(h+1,a),T,ARGV[6]end c=a+ARGV[3]*1000 o[b],i,g=c,math.max(i,c),g+1 A()bO(b)y(ARGV[4])end return{'granted',a,h,c-a,g}",
  sha: ["3fd346562ecd72eba87c327ab65f73f9ed7edd90", "274fe6215814e5328486d0c3f66e16cafcea27c0"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# ahead# back# ticket#", "owned remaining#", "full holds#", "closed", "kind kind", "late"],
  fresh: true,
};
