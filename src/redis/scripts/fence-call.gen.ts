// Generated from lua/fence-call.lua by tools/build-lua.ts; do not edit.
import { clock, fence, fenced, fresh, ran } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FenceCallReply =
  | { readonly status: "called"; readonly now: number; readonly reply: string }
  | { readonly status: "failed"; readonly now: number; readonly why: string }
  | { readonly status: "stale"; readonly now: number; readonly seen: number }
  | { readonly status: "forgotten"; readonly now: number; readonly seen: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const fenceCall: Script<readonly [id: string | number, token: string | number, ttl: string | number, began: string | number, command: string | number, ...rest: (string | number)[]], FenceCallReply> = {
  lua: clock + fresh + fence + fenced + ran + "local function j(c)if type(c)=='number'then return string.format('%.0f',c)end if not c then return'null'end if type(c)=='table'and not c.ok then local a={}for C,b in ipairs(c)do table.insert(a,j(b))end return'['..table.concat(a,',')..']'end local i=(type(c)=='table'and c.ok or c):gsub('[%z\\1-\\31\"\\\\]',function(a)return string.format('\\\\u%04x',a:byte())end)return'\"'..i..'\"'end if not N then local c=redis.pcall(ARGV[6],KEYS[2],unpack(ARGV,7))if type(c)=='table'and c.err then local b=' '..(c.err:match('^%u+')or'')..' 'if not(' READONLY MASTERDOWN CLUSTERDOWN TRYAGAIN LOADING BUSY NOREPLICAS MISCONF '):find(b,1,true)then redis.call('PEXPIRE',KEYS[1],ARGV[4])k(('!'..c.err):sub(1,255),p)return{'failed',a,c.err}end return c end N=j(c)k(#N<=255 and N or'',f)end if N:find('^!')then return{'failed',a,N:sub(2)}end return{'called',a,'='..N}",
  replies: {
    called: { reply: "text" },
    failed: { why: "text" },
    stale: { seen: "integer" },
    forgotten: { seen: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["b4cc8205d658e551b70d569ea1d9b73d0c59dcde", "7715ce26ded1a4936d542747ba6e83efabf9d18e"];
