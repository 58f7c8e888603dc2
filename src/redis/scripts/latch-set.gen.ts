// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, fresh, latch, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: "local v=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + latch + close_all + "local b,q=ARGV[2],y(ARGV[2])if D('latch')then return{'kind',a,i}end if q=='N'then return{'refused',a}end if q or l[b]then return{'set',a}end if x>0 then Q(b,'N')s()return{'refused',a}end local e=redis.call('ZCARD',KEYS[2])k('S')h=math.max(h+1,a)g=math.max(g,a+ARGV[4]*1000)x,c,l[b]=ARGV[3],ARGV[3],g if not f then d=h end F()s()if e>0 then local a=redis.pcall('UNLINK',KEYS[2])if type(a)=='table'then redis.call('SET',L,w,'KEEPTTL')return a end end return{'set',a}",
  replies: {
    set: {},
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["03101c4d3796616868ba19f883f642a4cb2218b5", "49011f415b82fcf0cc8d0bb8a4b4fa324c4bf608"];
