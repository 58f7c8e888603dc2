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
  lua: clock + fresh + fence + ran + "local function cc(C)if type(C)=='number'then return string.format('%.0f',C)end if not C then return'null'end if type(C)=='table'and not C.ok then local ch={}for Y,cU in ipairs(C)do table.insert(ch,cc(cU))end return'['..table.concat(ch,',')..']'end local de=(type(C)=='table'and C.ok or C):gsub('[%z\\1-\\31\"\\\\]',function(cI)return string.format('\\\\u%04x',cI:byte())end)return'\"'..de..'\"'end if not aa then local C=redis.pcall(ARGV[6],KEYS[2],unpack(ARGV,7))if type(C)=='table'and C.err then local cJ=' '..(C.err:match('^%u+')or'')..' 'if not(' READONLY MASTERDOWN CLUSTERDOWN TRYAGAIN LOADING BUSY NOREPLICAS MISCONF '):find(cJ,1,true)then redis.call('PEXPIRE',KEYS[1],ARGV[4])bN(('!'..C.err):sub(1,255),az)return{'failed',a,C.err}end return C end aa=cc(C)bN(#aa<256 and aa or'',g)end if aa:find('^!')then return{'failed',a,aa:sub(2)}end return{'called',a,'='..aa}",
  replies: "called reply|failed why|stale seen#|forgotten seen#|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["0cc7fee4c8083644168c0dbc77fa2853a0f28eb4", "39670497d75aa2b7fb64effbab0ef0d279b033c8"];
