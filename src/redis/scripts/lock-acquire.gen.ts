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
  lua: "local t=tonumber(ARGV[4])local l='lock'local b,p=ARGV[2],ARGV[5]local J=KEYS[1]local q=redis.call('GET',J)local g,L=ARGV[1]+0,tonumber(ARGV[9])if L and L<g and p==''and q then local h,e=q:match('^lock 1 (%d+) %d+ ()')local Z=e and q:find(' ',e,true)or#q local c,d,f=q:match('^[^:]+:(%d+), .- (%d+) (%d+)$',Z+1)if(c or 0)-g>0 and not q:find(b:sub(25),1,true)then local a=L return{'held',a,c-L,L-h,d+0,f+0,0}end end\n" + clock + fresh + record + ended + lock + waited + "if A(l)then return{'kind',a,h}end if v(b)then return M()end local j,d=N()local c=m[b]if not c then if d==0 then O(ARGV[8]*1000)f,P,S=math.max(f+1,a),p,ARGV[6]G()elseif p==''or p~=P then return{'held',a,j-a,math.max(a-f,0),B,u,1}elseif ARGV[7]=='0'then return{'not_reentrant',a,j-a}elseif d==64 then return{'too_many_holds',a}end d,c=d+1,a+ARGV[3]*1000 m[b],e=c,math.max(j,c)x()end return{'granted',a,f,c-a,d}",
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
export const sha: readonly [plain: string, flagged: string] = ["685615289bd0e3f9b9afd17c84deb8d72d7097c2", "935921845fe6495598a1f9821b8aa67031a20895"];
