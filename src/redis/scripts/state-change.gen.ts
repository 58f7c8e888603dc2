// Generated from lua/state-change.lua by tools/build-lua.ts; do not edit.
import { clock, fresh } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type StateChangeReply =
  | { readonly status: "changed"; readonly now: number; readonly count: number; readonly item: string }
  | { readonly status: "late"; readonly now: number };

export const stateChange: Script<readonly [memory: string | number, verb: string | number, value: string | number, ttl: string | number, most: string | number], StateChangeReply> = {
  lua: clock + fresh + "local o=redis.call('GET',KEYS[2])if not o then local a,f,X,m=ARGV[3],ARGV[4],tonumber(ARGV[5]),tonumber(ARGV[6])local d,b=0,''if a=='push'then d=redis.call('RPUSH',KEYS[1],f)if m>0 and d>m then redis.call('LTRIM',KEYS[1],-m,-1)d=m end if X>0 then redis.call('PEXPIRE',KEYS[1],X)end elseif a=='pop'then local P=redis.call('LPOP',KEYS[1])if P then d,b=1,'='..P end elseif a=='delete'then d=redis.call('DEL',KEYS[1])elseif a=='set'or redis.call('EXISTS',KEYS[1])==0 then d=1 if X>0 then redis.call('SET',KEYS[1],f,'PX',X)else redis.call('SET',KEYS[1],f)end end o=string.format('%.0f ',d)..b redis.call('SET',KEYS[2],o,'PX',ARGV[2])end local d,b=o:match('^(%d+) (.*)$')return{'changed',a,tonumber(d),b}",
  replies: {
    changed: { count: "integer", item: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["336b3b76e1d0ba75cd44602d41324547e01e074e", "69862f0e83caf82f81cec1506efda9c2922a9b27"];
