// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, fresh, latch, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: "local s=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + latch + close_all + "local b,r=ARGV[2],x(ARGV[2])if B('latch')then return{'kind',a,i}end if r=='N'then return{'refused',a}end if r or n[b]then return{'set',a}end if A>0 then N(b,'N')y()return{'refused',a}end local d=redis.call('ZCARD',KEYS[2])l('S')h=math.max(h+1,a)f=math.max(f,a+ARGV[4]*1000)A,e,n[b]=ARGV[3],ARGV[3],f if not g then c=h end I()y()if d>0 then local a=redis.pcall('UNLINK',KEYS[2])if type(a)=='table'then redis.call('SET',M,u,'KEEPTTL')return a end end return{'set',a}",
  replies: {
    set: {},
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["5359286c79a724d7348d313af3830911623f56bf", "52733aa21f313ecfad971c130ca118441088045a"];
