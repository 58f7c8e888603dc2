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
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ended + "if i=='once'and f>tonumber(ARGV[8])then f=math.max(f,a+1)end\n" + once + "local b,d,e=ARGV[2],tonumber(ARGV[6]),ARGV[7]if B('once')then return{'kind',a,i}end if v(b)then return M()end if C==''then C=e elseif e~=''and e~=C then return{'mismatch',a}end if o~=''then return{'done',a,g,'='..k}end local h,c=next(n)if not h then if j>=d then return{'exhausted',a,j}end j,k=j+1,ARGV[9]c=a+ARGV[3]*1000 n[b],g=c,math.max(g+1,a)f=math.max(a+ARGV[4]*1000,c)G()x()elseif h~=b then return{'running',a,c-a}end return{'granted',a,g,c-a,j}",
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
export const sha: readonly [plain: string, flagged: string] = ["bc5b2a18deaeff40be32c55922ed4c38313d2cf3", "dc821bdc3c66485a6c2ada580ed738b651c9614c"];
