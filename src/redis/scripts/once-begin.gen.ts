// Generated from lua/once-begin.lua by tools/build-lua.ts; do not edit.
import { clock, ended, failed, fresh, listen, once, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceBeginReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly attempt: number }
  | { readonly status: "running"; readonly now: number; readonly remaining: number; readonly listed: number }
  | { readonly status: "done"; readonly now: number; readonly token: number; readonly result: string }
  | { readonly status: "exhausted"; readonly now: number; readonly attempts: number }
  | { readonly status: "mismatch"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const onceBegin: Script<readonly [id: string | number, lease: string | number, ttl: string | number, retention: string | number, maxAttempts: string | number, fingerprint: string | number, before: string | number, note: string | number, listens: string | number], OnceBeginReply> = {
  lua: "local v=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ended + "if i=='once'and g>tonumber(ARGV[8])then g=math.max(g,a+1)end\n" + once + listen + failed + "local b,e,f=ARGV[2],tonumber(ARGV[6]),ARGV[7]if D('once')then return{'kind',a,i}end if y(b)then return H()end if I==''then I=f elseif f~=''and f~=I then return{'mismatch',a}end if r~=''then return{'done',a,h,'='..o}end local d,c=next(l)if not d then if j>=e then return{'exhausted',a,j}end j,o=j+1,ARGV[9]c=a+ARGV[3]*1000 l[b],h=c,math.max(h+1,a)g=math.max(a+ARGV[4]*1000,c)F()W(b)s()elseif d~=b then local u,H=ae(b,ARGV[10],'w')if H and A(s(redis.pcall))then u=0 end return{'running',a,c-a,u}end return{'granted',a,h,c-a,j}",
  replies: {
    granted: { token: "integer", remaining: "integer", attempt: "integer" },
    running: { remaining: "integer", listed: "integer" },
    done: { token: "integer", result: "text" },
    exhausted: { attempts: "integer" },
    mismatch: {},
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["fc00985f7c379802200b9ecae3e2c9d7e52aa866", "d127a806a95a532147a0656d6c634143aa84246d"];
