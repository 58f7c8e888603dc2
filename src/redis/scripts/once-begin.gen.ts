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
  lua: "local w=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ended + "if j=='once'and h>tonumber(ARGV[8])then h=math.max(h,a+1)end\n" + once + listen + failed + "local b,d,e=ARGV[2],tonumber(ARGV[6]),ARGV[7]if E('once')then return{'kind',a,j}end if x(b)then return G()end if J==''then J=e elseif e~=''and e~=J then return{'mismatch',a}end if r~=''then return{'done',a,g,'='..p}end local k,c=next(l)if not k then if i>=d then return{'exhausted',a,i}end i,p=i+1,ARGV[9]c=a+ARGV[3]*1000 l[b],g=c,math.max(g+1,a)h=math.max(a+ARGV[4]*1000,c)H()X(b)s()elseif k~=b then local v,q=ae(b,ARGV[10],'w')if q and B(s(redis.pcall))then v=0 end return{'running',a,c-a,v}end return{'granted',a,g,c-a,i}",
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
export const sha: readonly [plain: string, flagged: string] = ["3b3e4c6397285cb1568b8edcac679756ae64dea1", "3cf054aee38d15db9b94ae42f976b004ef617443"];
