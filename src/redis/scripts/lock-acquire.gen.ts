// Generated from lua/lock-acquire.lua by tools/build-lua.ts; do not edit.
import { clock, ended, failed, fresh, listen, lock, record, waited } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number; readonly clockRead: number; readonly listed: number }
  | { readonly status: "not_reentrant"; readonly now: number; readonly remaining: number }
  | { readonly status: "too_many_holds"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const lockAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, reentryKey: string | number, note: string | number, reentrant: string | number, waited: string | number, asked: string | number, listens: string | number], LockAcquireReply> = {
  lua: "local v=tonumber(ARGV[4])local m='lock'local b,q=ARGV[2],ARGV[5]local L=KEYS[1]local w=redis.call('GET',L)local f,P=ARGV[1]+0,tonumber(ARGV[9])if P and P<f and q==''and w then local j,d=w:match('^lock 1 (%d+) %d+ ()')local af=d and w:find(' ',d,true)or#w local c,e,g=w:match('^[^:]+:(%d+),%S* .- (%d+) (%d+)$',af+1)if ARGV[10]=='0'and(c or 0)-f>0 and not w:find(b:sub(25),1,true)then local a=P return{'held',a,c-P,P-j,e+0,g+0,0,0}end end\n" + clock + fresh + record + ended + lock + waited + listen + failed + "if D(m)then return{'kind',a,i}end if y(b)then return H()end local n,d=R()local c=l[b]if not c then if d==0 then z(ARGV[8]*1000)h,M,U=math.max(h+1,a),q,ARGV[6]F()elseif q==''or q~=M then local u,H=ae(b,ARGV[10],'w')if H and A(s(redis.pcall))then u=0 end return{'held',a,n-a,math.max(a-h,0),C,J,1,u}elseif ARGV[7]=='0'then return{'not_reentrant',a,n-a}elseif d==64 then return{'too_many_holds',a}end W(b)d,c=d+1,a+ARGV[3]*1000 l[b],g=c,math.max(n,c)s()end return{'granted',a,h,c-a,d}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer" },
    held: { remaining: "integer", age: "integer", tenure: "integer", queue: "integer", clockRead: "integer", listed: "integer" },
    not_reentrant: { remaining: "integer" },
    too_many_holds: {},
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["187b071b6d273e5b04454885f7e8711263567c4a", "87b218b8da720b8961accf9c7f029fe87b99bc3e"];
