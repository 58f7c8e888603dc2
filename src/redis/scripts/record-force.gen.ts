// Generated from lua/record-force.lua by tools/build-lua.ts; do not edit.
import { record } from "../record.gen.ts";
import type { Script } from "../script.ts";

export type RecordForceReply =
  | { readonly status: "forced"; readonly now: number; readonly token: number; readonly had: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const recordForce: Script<readonly [id: string | number, kind: string | number, retention: string | number], RecordForceReply> = {
  lua: "local key = KEYS[1]\nlocal time = redis.call('TIME')\nlocal now = time[1] * 1000000 + time[2]\nif now > tonumber(ARGV[1]) then return { 'late', now } end\n" + record + "local function vacate(retention, keep)\nlocal set = save(retention, redis.pcall)\nif set.err then\nif keep or next(holds) then return set end\nredis.call('DEL', key)\nend\nend\nlocal id, ours = ARGV[2], ARGV[3]\nif taken(ours) then return { 'kind', now, kind } end\nif not outcome(id) then\nfor hold in pairs(holds) do\nclose(hold, 'f')\nend\nclose(id, til > now and 'f' or 'n')\nkind, last, til, body = ours, math.max(last + 1, now), 0, ''\nvacate(ARGV[4])\nend\nreturn { 'forced', now, last, outcome(id) == 'f' and 1 or 0 }",
  sha: ["6066f3c138887cac48b86044df921c1a30917650", "3ec337eaf4a7c9ff88754a99eb34a6b2ecdf2e93"],
  replies: ["forced token# had#", "kind kind", "late"],
  fresh: true,
};
