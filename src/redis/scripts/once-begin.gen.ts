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
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ended + "if j=='once'and g>tonumber(ARGV[8])then g=math.max(g,a+1)end\n" + once + "local b,d,f=ARGV[2],tonumber(ARGV[6]),ARGV[7]if B('once')then return{'kind',a,j}end if w(b)then return G()end if E==''then E=f elseif f~=''and f~=E then return{'mismatch',a}end if q~=''then return{'done',a,h,'='..o}end local e,c=next(l)if not e then if i>=d then return{'exhausted',a,i}end i,o=i+1,ARGV[9]c=a+ARGV[3]*1000 l[b],h=c,math.max(h+1,a)g=math.max(a+ARGV[4]*1000,c)C()x()elseif e~=b then return{'running',a,c-a}end return{'granted',a,h,c-a,i}",
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
export const sha: readonly [plain: string, flagged: string] = ["9708d3d3360e5edaa5065b2ac824d93474c56644", "a5d4492ccf6995322210275fe60fb7685b54d15a"];
