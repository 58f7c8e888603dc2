// Generated from lua/fence-call.lua by tools/build-lua.ts; do not edit.
import { clock, fence, fresh, ran } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FenceCallReply =
  | { readonly status: "called"; readonly now: number; readonly reply: string }
  | { readonly status: "failed"; readonly now: number; readonly why: string }
  | { readonly status: "stale"; readonly now: number; readonly seen: number }
  | { readonly status: "forgotten"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const fenceCall: Script<readonly [id: string | number, token: string | number, ttl: string | number, began: string | number, command: string | number, ...rest: (string | number)[]], FenceCallReply> = {
  lua: clock + "\n" + fresh + "\n" + fence + "\n" + ran + "\nlocal function bG(v)if type(v)=='number'then return string.format('%.0f',v)end if not v then return'null'end if type(v)=='table'and not v.ok then local bI={}for N,cu in ipairs(v)do table.insert(bI,bG(cu))end return'['..table.concat(bI,',')..']'end local cG=(type(v)=='table'and v.ok or v):gsub('[%z\\1-\\31\"\\\\]',function(ck)return string.format('\\\\u%04x',ck:byte())end)return'\"'..cG..'\"'end if not U then local v=redis.pcall(ARGV[6],KEYS[2],unpack(ARGV,7))if type(v)=='table'and v.err then if v.err:find('^ERR ')or v.err:find('^WRONGTYPE ')then return{'failed',a,v.err}end return v end U=bG(v)bU(#U<256 and U or'')end return{'called',a,'='..U}",
  sha: ["2be150a866308ed1d2b085f2d4b32824734e1fb3", "8fc40081d16e82d67bc8c1e791cc394b41d57186"],
  replies: ["called reply", "failed why", "stale seen#", "forgotten", "kind kind", "late"],
  fresh: true,
};
