// Generated from lua/state-change.lua by tools/build-lua.ts; do not edit.
import { clock, fresh } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type StateChangeReply =
  | { readonly status: "changed"; readonly now: number; readonly count: number; readonly item: string }
  | { readonly status: "late"; readonly now: number };

export const stateChange: Script<readonly [memory: string | number, verb: string | number, value: string | number, ttl: string | number, most: string | number], StateChangeReply> = {
  lua: clock + fresh + "local o=redis.call('GET',KEYS[2])if not o then local a,g,W,l=ARGV[3],ARGV[4],tonumber(ARGV[5]),tonumber(ARGV[6])local d,b=0,''if a=='push'then d=redis.call('RPUSH',KEYS[1],g)if l>0 and d>l then redis.call('LTRIM',KEYS[1],-l,-1)d=l end if W>0 then redis.call('PEXPIRE',KEYS[1],W)end elseif a=='pop'then local P=redis.call('LPOP',KEYS[1])if P then d,b=1,'='..P end elseif a=='delete'then d=redis.call('DEL',KEYS[1])elseif a=='set'or redis.call('EXISTS',KEYS[1])==0 then d=1 if W>0 then redis.call('SET',KEYS[1],g,'PX',W)else redis.call('SET',KEYS[1],g)end end o=string.format('%.0f ',d)..b redis.call('SET',KEYS[2],o,'PX',ARGV[2])end local d,b=o:match('^(%d+) (.*)$')return{'changed',a,tonumber(d),b}",
  replies: {
    changed: { count: "integer", item: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["83323f38116ffc8564a81ab903fb9bb65bda443a", "c969810fe33089e110431240d22389fe14d5fcb1"];
