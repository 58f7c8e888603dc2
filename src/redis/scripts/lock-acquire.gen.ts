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
  lua: "local t=tonumber(ARGV[4])local m='lock'local b,p=ARGV[2],ARGV[5]local K=KEYS[1]local u=redis.call('GET',K)local f,N=ARGV[1]+0,tonumber(ARGV[9])if N and N<f and p==''and u then local i,e=u:match('^lock 1 (%d+) %d+ ()')local ab=e and u:find(' ',e,true)or#u local c,d,g=u:match('^[^:]+:(%d+), .- (%d+) (%d+)$',ab+1)if(c or 0)-f>0 and not u:find(b:sub(25),1,true)then local a=N return{'held',a,c-N,N-i,d+0,g+0,0}end end\n" + clock + fresh + record + ended + lock + waited + "if B(m)then return{'kind',a,j}end if w(b)then return G()end local n,e=P()local c=l[b]if not c then if e==0 then y(ARGV[8]*1000)h,J,S=math.max(h+1,a),p,ARGV[6]C()elseif p==''or p~=J then return{'held',a,n-a,math.max(a-h,0),A,H,1}elseif ARGV[7]=='0'then return{'not_reentrant',a,n-a}elseif e==64 then return{'too_many_holds',a}end e,c=e+1,a+ARGV[3]*1000 l[b],g=c,math.max(n,c)x()end return{'granted',a,h,c-a,e}",
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
export const sha: readonly [plain: string, flagged: string] = ["8958dbdb18c734b2e431efb808cbf9e28bf25e30", "06ef3a9c46d3bef7760a424c6f123977507ecf3f"];
