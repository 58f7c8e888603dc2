// Generated from lua/once-begin.lua by tools/build-lua.ts; do not edit.
import { record } from "../record.gen.ts";
import type { Script } from "../script.ts";

export type OnceBeginReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly attempt: number }
  | { readonly status: "running"; readonly now: number; readonly remaining: number }
  | { readonly status: "done"; readonly now: number; readonly token: number; readonly result: string }
  | { readonly status: "exhausted"; readonly now: number; readonly attempts: number }
  | { readonly status: "mismatch"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const onceBegin: Script<readonly [id: string | number, lease: string | number, ttl: string | number, retention: string | number, maxAttempts: string | number, fingerprint: string | number], OnceBeginReply> = {
  lua: "local key = KEYS[1]\nlocal time = redis.call('TIME')\nlocal now = time[1] * 1000000 + time[2]\nif now > tonumber(ARGV[1]) then return { 'late', now } end\n" + record + "local attempts, mark, done, result = 0, '', '', ''\nif kind == 'once' and til > now then\nattempts, mark, done, result = body:match('^(%d+) (%S*) (%S*) (.*)$')\nattempts = tonumber(attempts)\nend\nlocal function set_body()\nkind, body = 'once', table.concat({ string.format('%.0f', attempts), mark, done, result }, ' ')\nend\nlocal id, max, print = ARGV[2], tonumber(ARGV[6]), ARGV[7]\nif taken('once') then return { 'kind', now, kind } end\nif outcome(id) then return { 'closed', now } end\nif mark == '' then\nmark = print\nelseif print ~= '' and print ~= mark then\nreturn { 'mismatch', now }\nend\nif done ~= '' then return { 'done', now, last, '=' .. result } end\nlocal holder, ends = next(holds)\nif not holder then\nif max > 0 and attempts >= max then return { 'exhausted', now, attempts } end\nattempts = attempts + 1\nends = now + ARGV[3] * 1000\nholds[id], last = ends, math.max(last + 1, now)\ntil = math.max(now + ARGV[4] * 1000, ends)\nset_body()\nsave(ARGV[5])\nelseif holder ~= id then\nreturn { 'running', now, ends - now }\nend\nreturn { 'granted', now, last, ends - now, attempts }",
  sha: ["7d0cc13cd54afecde06da9f7ebd90dd405ab8aec", "3054b745bf16687bd21a69bfd9804137a2406762"],
  replies: ["granted token# remaining# attempt#", "running remaining#", "done token# result", "exhausted attempts#", "mismatch", "closed", "kind kind", "late"],
  fresh: true,
};
