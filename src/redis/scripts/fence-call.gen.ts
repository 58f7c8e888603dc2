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
  lua: clock + "\n" + fresh + "\n" + fence + "\n" + ran + "\nlocal function bI(v)if type(v)=='number'then return string.format('%.0f',v)end if not v then return'null'end if type(v)=='table'and not v.ok then local bK={}for N,cv in ipairs(v)do table.insert(bK,bI(cv))end return'['..table.concat(bK,',')..']'end local cH=(type(v)=='table'and v.ok or v):gsub('[%z\\1-\\31\"\\\\]',function(ck)return string.format('\\\\u%04x',ck:byte())end)return'\"'..cH..'\"'end if not S then local v=redis.pcall(ARGV[6],KEYS[2],unpack(ARGV,7))if type(v)=='table'and v.err then if v.err:find('^ERR ')or v.err:find('^WRONGTYPE ')then bu(('!'..v.err):sub(1,255),aw)return{'failed',a,v.err}end return v end S=bI(v)bu(#S<256 and S or'',d)end if S:find('^!')then return{'failed',a,S:sub(2)}end return{'called',a,'='..S}",
  sha: ["14b97d0ab15a62f089ac4ed66be2c7f06c1dc490", "d8b3891076bb16cf2b1c993d0ed9ba7fe1e1888b"],
  replies: ["called reply", "failed why", "stale seen#", "forgotten seen#", "kind kind", "late"],
  fresh: true,
};
