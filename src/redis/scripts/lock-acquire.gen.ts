// Generated from lua/lock-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, ended, fresh, lock, record, waited } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number; readonly clockRead: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const lockAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, reentryKey: string | number, note: string | number, reentrant: string | number, waited: string | number, asked: string | number], LockAcquireReply> = {
  lua: "local t=tonumber(ARGV[4])local m='lock'local b,p=ARGV[2],ARGV[5]local J=KEYS[1]local q=redis.call('GET',J)local h,L=ARGV[1]+0,tonumber(ARGV[9])if L and L<h and p==''and q then local i,f=q:match('^lock 1 (%d+) %d+ ()')local Z=f and q:find(' ',f,true)or#q local c,d,e=q:match('^[^:]+:(%d+), .- (%d+) (%d+)$',Z+1)if(c or 0)-h>0 and not q:find(b:sub(25),1,true)then local a=L return{'held',a,c-L,L-i,d+0,e+0,0}end end\n" + clock + fresh + record + ended + lock + waited + "if B(m)then return{'kind',a,i}end if v(b)then return M()end local k,e=N()local c=n[b]if not c then if e==0 then O(ARGV[8]*1000)g,P,S=math.max(g+1,a),p,ARGV[6]G()elseif p==''or p~=P then return{'held',a,k-a,math.max(a-g,0),z,u,1}elseif ARGV[7]=='0'then return{'not_reentrant',a,k-a}elseif e==64 then return{'too_many_holds',a}end e,c=e+1,a+ARGV[3]*1000 n[b],f=c,math.max(k,c)x()end return{'granted',a,g,c-a,e}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer" },
    held: { remaining: "integer", age: "integer", tenure: "integer", queue: "integer", clockRead: "integer" },
    not_reentrant: { remaining: "integer" },
    too_many_holds: {},
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["4ec0a4660b5e422bd2d0c636447d91da06a4b412", "1fefe550f3dabb3e59b43afa7ac3c819ce7b5950"];
