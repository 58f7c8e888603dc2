// Generated from lua/state-change.lua by tools/build-lua.ts; do not edit.
import { clock, fresh } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type StateChangeReply =
  | { readonly status: "changed"; readonly now: number; readonly count: number; readonly item: string }
  | { readonly status: "late"; readonly now: number };

export const stateChange: Script<readonly [memory: string | number, verb: string | number, value: string | number, ttl: string | number, most: string | number], StateChangeReply> = {
  lua: clock + fresh + "local o=redis.call('GET',KEYS[2])if not o then local e,f,W,n=ARGV[3],ARGV[4],tonumber(ARGV[5]),tonumber(ARGV[6])local d,b,c=0,'',0 local function g()end if e=='push'then c=redis.call('RPUSH',KEYS[1],f)d=n>0 and math.min(c,n)or c g=function()redis.call('LTRIM',KEYS[1],0,-2)end elseif e=='pop'then local P=redis.call('LPOP',KEYS[1])if P then d,b=1,'='..P g=function()redis.call('LPUSH',KEYS[1],P)end end elseif e=='delete'then d=redis.call('DEL',KEYS[1])elseif e=='set'or redis.call('EXISTS',KEYS[1])==0 then d=1 if e=='add'then g=function()redis.call('DEL',KEYS[1])end end if W>0 then redis.call('SET',KEYS[1],f,'PX',W)else redis.call('SET',KEYS[1],f)end end o=string.format('%.0f ',d)..b local a=redis.pcall('SET',KEYS[2],o,'PX',ARGV[2])if a.err then g()return a end if c>d then redis.call('LTRIM',KEYS[1],-n,-1)end if c>0 and W>0 then redis.call('PEXPIRE',KEYS[1],W)end end local d,b=o:match('^(%d+) (.*)$')return{'changed',a,tonumber(d),b}",
  replies: {
    changed: { count: "integer", item: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["c24a764ac7e47263d52d7b55d48475203de6049e", "48c71b2514a1f6b8b23a348584613528b91171d1"];
