// Generated from lua/state-change.lua by tools/build-lua.ts; do not edit.
import { clock, fresh } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type StateChangeReply =
  | { readonly status: "changed"; readonly now: number; readonly count: number; readonly item: string }
  | { readonly status: "late"; readonly now: number };

export const stateChange: Script<readonly [memory: string | number, verb: string | number, value: string | number, ttl: string | number, most: string | number], StateChangeReply> = {
  lua: clock + fresh + "local t=redis.call('GET',KEYS[2])if not t then local a,g,V,n=ARGV[3],ARGV[4],tonumber(ARGV[5]),tonumber(ARGV[6])local d,b=0,''if a=='push'then d=redis.call('RPUSH',KEYS[1],g)if n>0 and d>n then redis.call('LTRIM',KEYS[1],-n,-1)d=n end if V>0 then redis.call('PEXPIRE',KEYS[1],V)end elseif a=='pop'then local K=redis.call('LPOP',KEYS[1])if K then d,b=1,'='..K end elseif a=='delete'then d=redis.call('DEL',KEYS[1])elseif a=='set'or redis.call('EXISTS',KEYS[1])==0 then d=1 if V>0 then redis.call('SET',KEYS[1],g,'PX',V)else redis.call('SET',KEYS[1],g)end end t=string.format('%.0f ',d)..b redis.call('SET',KEYS[2],t,'PX',ARGV[2])end local d,b=t:match('^(%d+) (.*)$')return{'changed',a,tonumber(d),b}",
  replies: {
    changed: { count: "integer", item: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["84de191c7e821fd454131839e4fca4fed22a4f95", "1dd12716f51fb668a7884b2be115a346d711da14"];
