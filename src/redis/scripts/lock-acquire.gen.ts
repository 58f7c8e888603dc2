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
  lua: "local s=tonumber(ARGV[4])local k='lock'local b,p=ARGV[2],ARGV[5]local K=KEYS[1]local B=redis.call('GET',K)local i,J=ARGV[1]+0,tonumber(ARGV[9])local j,c,g,m=(B or''):match('^lock 1 (%d+) %S+ %S* [^:]+:(%d+), .- (%d+) (%d+)$')if J and J<i and(c or 0)-i>0 and p==''and not B:find(b:sub(25),1,true)then local a=J return{'held',a,c-J,J-j,g+0,m+0,0}end\n" + clock + fresh + record + ended + lock + waited + "if y(k)then return{'kind',a,h}end if u(b)then return M()end local n,d=L()local c=l[b]if not c then if d==0 then P(ARGV[8]*1000)f,D,Q=math.max(f+1,a),p,ARGV[6]F()elseif p==''or p~=D then return{'held',a,n-a,math.max(a-f,0),x,A,1}elseif ARGV[7]=='0'then return{'not_reentrant',a,n-a}elseif d==64 then return{'too_many_holds',a}end d,c=d+1,a+ARGV[3]*1000 l[b],e=c,math.max(n,c)v()end return{'granted',a,f,c-a,d}",
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
export const sha: readonly [plain: string, flagged: string] = ["e32ae27e326c63e2ccc7a9a0010e5ee6b2994182", "4ae4fe1ca0b6f5cebb263b9afbc2bc73a42e5a14"];
