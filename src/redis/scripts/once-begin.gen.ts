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
  lua: "local s=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ended + "if i=='once'and f>tonumber(ARGV[8])then f=math.max(f,a+1)end\n" + once + "local b,d,g=ARGV[2],tonumber(ARGV[6]),ARGV[7]if B('once')then return{'kind',a,i}end if x(b)then return F()end if C==''then C=g elseif g~=''and g~=C then return{'mismatch',a}end if p~=''then return{'done',a,h,'='..j}end local k,c=next(n)if not k then if e>=d then return{'exhausted',a,e}end e,j=e+1,ARGV[9]c=a+ARGV[3]*1000 n[b],h=c,math.max(h+1,a)f=math.max(a+ARGV[4]*1000,c)I()y()elseif k~=b then return{'running',a,c-a}end return{'granted',a,h,c-a,e}",
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
export const sha: readonly [plain: string, flagged: string] = ["2a9fae0c79358b0888a19172fae0e80ddde9c32f", "f5055363bc8cb9f3630fe73e0340e3fb3ad1bd29"];
