// Generated from lua/once-close.lua by tools/build-lua.ts; do not edit.
import { record } from "../record.gen.ts";
import type { Script } from "../script.ts";

export type OnceCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const onceClose: Script<readonly [id: string | number, token: string | number, retention: string | number], OnceCloseReply> = {
  lua: "local key = KEYS[1]\nlocal time = redis.call('TIME')\nlocal now = time[1] * 1000000 + time[2]\n" + record + "local endings = { r = 'released', c = 'released', e = 'expired', f = 'forced' }\nlocal function ending(id, token)\nlocal over = outcome(id)\nif last > token and (not over or over == 'e') then return 'taken' end\nreturn endings[over] or 'gone'\nend\nlocal function vacate(retention, keep)\nlocal set = save(retention, redis.pcall)\nif set.err then\nif keep or next(holds) then return set end\nredis.call('DEL', key)\nend\nend\nlocal function close_elsewhere(id, retention)\nif til == math.huge then return { 'lost', now, 'gone' } end\nclose(id, 'c')\nreturn vacate(retention, true) or { 'closed', now }\nend\nlocal attempts, mark, done, result = 0, '', '', ''\nif kind == 'once' and til > now then\nattempts, mark, done, result = body:match('^(%d+) (%S*) (%S*) (.*)$')\nattempts = tonumber(attempts)\nend\nlocal function set_body()\nkind, body = 'once', table.concat({ string.format('%.0f', attempts), mark, done, result }, ' ')\nend\nlocal id, token = ARGV[1], tonumber(ARGV[2])\nlocal cancel = token == 0\nlocal alive = holds[id]\nlocal before = outcome(id)\nif cancel and not before and taken('once') then return close_elsewhere(id, ARGV[3]) end\nif not before and (cancel or alive and last == token) then\nif cancel and alive then attempts = attempts - 1 end\nclose(id, cancel and 'c' or 'r')\nbefore = 'r'\nend\nif changed and not taken('once') then\nset_body()\nif attempts == 0 then til, body = 0, '' end\nlocal failed = vacate(ARGV[3], not alive)\nif failed then return failed end\nend\nif cancel or before == 'r' then return { 'closed', now } end\nreturn { 'lost', now, ending(id, token) }",
  sha: ["1999994e137c300e338405ce2c02f7f7251e237b", "a18f77b05e229a74802b86b0b913d8bc879ae356"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
