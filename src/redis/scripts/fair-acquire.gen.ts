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
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + crowd + "\nlocal n='fair'\n" + lock + "\n" + queue + "\nlocal b,U,ad=ARGV[2],ARGV[5],tonumber(ARGV[8])if G(n)then return{'kind',a,m}end if w(b)then return{'closed',a}end local J,c=al()local s,av=math.max(J-a,0),math.max(a-h,0)local d=o[b]if not d then if c>0 and U~=''and U==af then if ARGV[7]=='0'then return{'owned',a,s}end if c==64 then return{'full',a,c}end else local M,an,O=nil,0,0 if ad<0 then an=ch()else local k=bk(8)cl(k,b)M,an=cF(b)if ad>0 and M~=ad then return{'held',a,s,av,u,an,1,0}end O=#k==8 and ap or bF(an,u,av,s)end if c>0 or an>0 then if ad>=0 then if not M then M=math.max(D+1,a)D=M end bQ(b,M,O,ARGV[9])A()V(ARGV[4])y(ARGV[4])end return{'held',a,s,av,u,an,O,M or 0}end end if c==0 then h,af,aJ=math.max(h+1,a),U,ARGV[6]end d=a+ARGV[3]*1000 o[b],i,c=d,math.max(i,d),c+1 A()bP(b)y(ARGV[4])end return{'granted',a,h,d-a,c}",
  sha: ["5b66891a1abfeff03c1e41a5dc127b14c50181ca", "4519e96fdb5b6565a472d47082736bc40c7bce81"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# ahead# back# ticket#", "owned remaining#", "full holds#", "closed", "kind kind", "late"],
  fresh: true,
};
