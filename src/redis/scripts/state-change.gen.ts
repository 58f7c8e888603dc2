// Generated from lua/state-change.lua by tools/build-lua.ts; do not edit.
import { clock, fresh } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type StateChangeReply =
  | { readonly status: "changed"; readonly now: number; readonly count: number; readonly item: string }
  | { readonly status: "late"; readonly now: number };

export const stateChange: Script<readonly [memory: string | number, verb: string | number, value: string | number, ttl: string | number, max: string | number], StateChangeReply> = {
  lua: clock + fresh + "local r=redis.call('GET',KEYS[2])if not r then local f,h,ad,e=ARGV[3],ARGV[4],tonumber(ARGV[5]),tonumber(ARGV[6])local d,b,c=0,'',0 local function g()end if f=='push'then c=redis.call('RPUSH',KEYS[1],h)d=e>0 and math.min(c,e)or c g=function()redis.call('LTRIM',KEYS[1],0,-2)end elseif f=='pop'then local T=redis.call('LPOP',KEYS[1])if T then d,b=1,'='..T g=function()redis.call('LPUSH',KEYS[1],T)end end elseif f=='delete'then d=redis.call('DEL',KEYS[1])elseif f=='set'or redis.call('EXISTS',KEYS[1])==0 then d=1 if f=='add'then g=function()redis.call('DEL',KEYS[1])end end if ad>0 then redis.call('SET',KEYS[1],h,'PX',ad)else redis.call('SET',KEYS[1],h)end end r=string.format('%.0f ',d)..b local a=redis.pcall('SET',KEYS[2],r,'PX',ARGV[2])if a.err then g()return a end if c>d then redis.call('LTRIM',KEYS[1],-e,-1)end if c>0 and ad>0 then redis.call('PEXPIRE',KEYS[1],ad)end end local d,b=r:match('^(%d+) (.*)$')return{'changed',a,tonumber(d),b}",
  replies: {
    changed: { count: "integer", item: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["79ac5bffefb601073d10f86fc55f28f1c982fd69", "4bdfb5bbf092af3486d17c90f223e00aeb029752"];
