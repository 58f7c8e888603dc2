// Generated from lua/lock-acquire.lua by tools/build-lua.ts; do not edit.
import { record } from "../record.gen.ts";
import type { Script } from "../script.ts";

export type LockAcquireReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "held"; readonly now: number; readonly remaining: number; readonly age: number; readonly tenure: number; readonly queue: number }
  | { readonly status: "owned"; readonly now: number; readonly remaining: number }
  | { readonly status: "full"; readonly now: number; readonly holds: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const lockAcquire: Script<readonly [id: string | number, lease: string | number, retention: string | number, owner: string | number, label: string | number, reentrant: string | number, waited: string | number], LockAcquireReply> = {
  lua: "local key = KEYS[1]\nlocal time = redis.call('TIME')\nlocal now = time[1] * 1000000 + time[2]\nif now > tonumber(ARGV[1]) then return { 'late', now } end\n" + record + "local known = kind == 'lock' and body ~= '' and body or '  0 0'\nlocal owner, label, tenure, queue = known:match('^(%S*) (%S*) (%d+) (%d+)$')\ntenure, queue = tonumber(tenure), tonumber(queue)\nlocal function set_body()\nkind, body = 'lock', string.format('%s %s %.0f %.0f', owner, label, tenure, queue)\nend\nlocal id, asker = ARGV[2], ARGV[5]\nif taken('lock') then return { 'kind', now, kind } end\nif outcome(id) then return { 'closed', now } end\nlocal farthest, count = survey()\nlocal ends = holds[id]\nif not ends then\nif count > 0 then\nif asker == '' or asker ~= owner then\nreturn { 'held', now, farthest - now, math.max(now - last, 0), tenure, queue }\nend\nif ARGV[7] == '0' then return { 'owned', now, farthest - now } end\nif count == 64 then return { 'full', now, count } end\nelse\nif til > 0 then\nlocal growth = (ARGV[8] * 1000 - queue) / 8\nqueue = math.max(queue + math.min(growth, 3 * tenure) - (now - til), 0)\nend\nlast = math.max(last + 1, now)\nowner, label = asker, ARGV[6]\nset_body()\nend\nends = now + ARGV[3] * 1000\nholds[id], til, count = ends, math.max(farthest, ends), count + 1\nsave(ARGV[4])\nend\nreturn { 'granted', now, last, ends - now, count }",
  sha: ["b672cf333db2cd406ece1a7ecd7c0f860feda845", "8f1becba8677643bb5ab2d3f0c576f1683b16e9c"],
  replies: ["granted token# remaining# holds#", "held remaining# age# tenure# queue#", "owned remaining#", "full holds#", "closed", "kind kind", "late"],
  fresh: true,
};
