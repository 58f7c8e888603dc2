// Generated from lua/fence-call.lua by tools/build-lua.ts; do not edit.
import { clock, fence, fresh, ran } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FenceCallReply =
  | { readonly status: "called"; readonly now: number; readonly reply: string }
  | { readonly status: "failed"; readonly now: number; readonly why: string }
  | { readonly status: "stale"; readonly now: number; readonly seen: number }
  | { readonly status: "forgotten"; readonly now: number; readonly seen: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const fenceCall: Script<readonly [id: string | number, token: string | number, ttl: string | number, began: string | number, command: string | number, ...rest: (string | number)[]], FenceCallReply> = {
  lua: clock + "\n" + fresh + "\n" + fence + "\n" + ran + "\nlocal function bJ(v)if type(v)=='number'then return string.format('%.0f',v)end if not v then return'null'end if type(v)=='table'and not v.ok then local bM={}for R,cw in ipairs(v)do table.insert(bM,bJ(cw))end return'['..table.concat(bM,',')..']'end local cI=(type(v)=='table'and v.ok or v):gsub('[%z\\1-\\31\"\\\\]',function(cm)return string.format('\\\\u%04x',cm:byte())end)return'\"'..cI..'\"'end if not T then local v=redis.pcall(ARGV[6],KEYS[2],unpack(ARGV,7))if type(v)=='table'and v.err then if v.err:find('^ERR ')or v.err:find('^WRONGTYPE ')then bv(('!'..v.err):sub(1,255),aw)return{'failed',a,v.err}end return v end T=bJ(v)bv(#T<256 and T or'',e)end if T:find('^!')then return{'failed',a,T:sub(2)}end return{'called',a,'='..T}",
  sha: ["d25ba0dedd6106fafbce036c1b450e9d8dd13161", "d30abb57b7236b6adae282b4743725e5f4ba5682"],
  replies: ["called reply", "failed why", "stale seen#", "forgotten seen#", "kind kind", "late"],
  fresh: true,
};
