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
  lua: clock + "\n" + fresh + "\n" + fence + "\n" + ran + "\nlocal function bT(w)if type(w)=='number'then return string.format('%.0f',w)end if not w then return'null'end if type(w)=='table'and not w.ok then local bX={}for T,cH in ipairs(w)do table.insert(bX,bT(cH))end return'['..table.concat(bX,',')..']'end local cT=(type(w)=='table'and w.ok or w):gsub('[%z\\1-\\31\"\\\\]',function(cw)return string.format('\\\\u%04x',cw:byte())end)return'\"'..cT..'\"'end if not Z then local w=redis.pcall(ARGV[6],KEYS[2],unpack(ARGV,7))if type(w)=='table'and w.err then if w.err:find('^ERR ')or w.err:find('^WRONGTYPE ')then bE(('!'..w.err):sub(1,255),aA)return{'failed',a,w.err}end return w end Z=bT(w)bE(#Z<256 and Z or'',g)end if Z:find('^!')then return{'failed',a,Z:sub(2)}end return{'called',a,'='..Z}",
  sha: ["441b7e51643a385c7068255d53b11bf8ec6c23d2", "c76ee6b752a843a93aac75b21fd99d140690f9a9"],
  replies: ["called reply", "failed why", "stale seen#", "forgotten seen#", "kind kind", "late"],
  fresh: true,
};
