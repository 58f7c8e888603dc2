// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, fresh, latch, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: "local w=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + latch + close_all + "local b,t=ARGV[2],x(ARGV[2])if E('latch')then return{'kind',a,j}end if t=='N'then return{'refused',a}end if t or l[b]then return{'set',a}end if A>0 then S(b,'N')s()return{'refused',a}end local d=redis.call('ZCARD',KEYS[2])n('S')g=math.max(g+1,a)h=math.max(h,a+ARGV[4]*1000)A,c,l[b]=ARGV[3],ARGV[3],h if not f then e=g end H()s()if d>0 then local a=redis.pcall('UNLINK',KEYS[2])if type(a)=='table'then redis.call('SET',M,y,'KEEPTTL')return a end end return{'set',a}",
  replies: {
    set: {},
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["fb1a73e3d17620f7809ddd36714f3eb40bcdc884", "c454abc083cc736644d717e8c22efcf6e1e8a700"];
