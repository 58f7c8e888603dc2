// Generated from lua/once-begin.lua by tools/build-lua.ts; do not edit.
import { clock, ended, fresh, once, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceBeginReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly attempt: number }
  | { readonly status: "running"; readonly now: number; readonly remaining: number }
  | { readonly status: "done"; readonly now: number; readonly token: number; readonly result: string }
  | { readonly status: "exhausted"; readonly now: number; readonly attempts: number }
  | { readonly status: "mismatch"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const onceBegin: Script<readonly [id: string | number, lease: string | number, ttl: string | number, retention: string | number, maxAttempts: string | number, fingerprint: string | number, before: string | number, note: string | number], OnceBeginReply> = {
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ended + "if h=='once'and e>tonumber(ARGV[8])then e=math.max(e,a+1)end\n" + once + "local b,d,g=ARGV[2],tonumber(ARGV[6]),ARGV[7]if A('once')then return{'kind',a,h}end if v(b)then return M()end if C==''then C=g elseif g~=''and g~=C then return{'mismatch',a}end if o~=''then return{'done',a,f,'='..j}end local k,c=next(m)if not k then if i>=d then return{'exhausted',a,i}end i,j=i+1,ARGV[9]c=a+ARGV[3]*1000 m[b],f=c,math.max(f+1,a)e=math.max(a+ARGV[4]*1000,c)G()x()elseif k~=b then return{'running',a,c-a}end return{'granted',a,f,c-a,i}",
  replies: {
    granted: { token: "integer", remaining: "integer", attempt: "integer" },
    running: { remaining: "integer" },
    done: { token: "integer", result: "text" },
    exhausted: { attempts: "integer" },
    mismatch: {},
    closed: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["3cb92dbe62a08d63746c5a56edf8e6c8929f1337", "760bec5f586aafb1b8929e8af54bc2c7da279eea"];
