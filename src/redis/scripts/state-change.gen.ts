// Generated from lua/state-change.lua by tools/build-lua.ts; do not edit.
import { clock, fresh } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type StateChangeReply =
  | { readonly status: "changed"; readonly now: number; readonly count: number; readonly item: string }
  | { readonly status: "late"; readonly now: number };

export const stateChange: Script<readonly [memory: string | number, verb: string | number, value: string | number, ttl: string | number, max: string | number], StateChangeReply> = {
  lua: clock + fresh + "local r=redis.call('GET',KEYS[2])if not r then local f,g,ab,d=ARGV[3],ARGV[4],tonumber(ARGV[5]),tonumber(ARGV[6])local e,b,c=0,'',0 local function h()end if f=='push'then c=redis.call('RPUSH',KEYS[1],g)e=d>0 and math.min(c,d)or c h=function()redis.call('LTRIM',KEYS[1],0,-2)end elseif f=='pop'then local U=redis.call('LPOP',KEYS[1])if U then e,b=1,'='..U h=function()redis.call('LPUSH',KEYS[1],U)end end elseif f=='delete'then e=redis.call('DEL',KEYS[1])elseif f=='set'or redis.call('EXISTS',KEYS[1])==0 then e=1 if f=='add'then h=function()redis.call('DEL',KEYS[1])end end if ab>0 then redis.call('SET',KEYS[1],g,'PX',ab)else redis.call('SET',KEYS[1],g)end end r=string.format('%.0f ',e)..b local a=redis.pcall('SET',KEYS[2],r,'PX',ARGV[2])if a.err then h()return a end if c>e then redis.call('LTRIM',KEYS[1],-d,-1)end if c>0 and ab>0 then redis.call('PEXPIRE',KEYS[1],ab)end end local e,b=r:match('^(%d+) (.*)$')return{'changed',a,tonumber(e),b}",
  replies: {
    changed: { count: "integer", item: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["ef3cc4bcbd219191bcd4fd49dd20c48c17f732bb", "cc1381690514fbd1c52eb2bece06c4276b1f1014"];
