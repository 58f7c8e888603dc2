// Generated from lua/state-change.lua by tools/build-lua.ts; do not edit.
import { clock, fresh } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type StateChangeReply =
  | { readonly status: "changed"; readonly now: number; readonly count: number; readonly item: string }
  | { readonly status: "late"; readonly now: number };

export const stateChange: Script<readonly [memory: string | number, verb: string | number, value: string | number, ttl: string | number, max: string | number], StateChangeReply> = {
  lua: clock + fresh + "local q=redis.call('GET',KEYS[2])if not q then local f,h,Z,d=ARGV[3],ARGV[4],tonumber(ARGV[5]),tonumber(ARGV[6])local e,b,c=0,'',0 local function g()end if f=='push'then c=redis.call('RPUSH',KEYS[1],h)e=d>0 and math.min(c,d)or c g=function()redis.call('LTRIM',KEYS[1],0,-2)end elseif f=='pop'then local R=redis.call('LPOP',KEYS[1])if R then e,b=1,'='..R g=function()redis.call('LPUSH',KEYS[1],R)end end elseif f=='delete'then e=redis.call('DEL',KEYS[1])elseif f=='set'or redis.call('EXISTS',KEYS[1])==0 then e=1 if f=='add'then g=function()redis.call('DEL',KEYS[1])end end if Z>0 then redis.call('SET',KEYS[1],h,'PX',Z)else redis.call('SET',KEYS[1],h)end end q=string.format('%.0f ',e)..b local a=redis.pcall('SET',KEYS[2],q,'PX',ARGV[2])if a.err then g()return a end if c>e then redis.call('LTRIM',KEYS[1],-d,-1)end if c>0 and Z>0 then redis.call('PEXPIRE',KEYS[1],Z)end end local e,b=q:match('^(%d+) (.*)$')return{'changed',a,tonumber(e),b}",
  replies: {
    changed: { count: "integer", item: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["d68cc78b2cf31f273965b4f2f21ce0cdab09d36f", "67cc3144413b682e93a76e3e8808baeef92bd4d9"];
