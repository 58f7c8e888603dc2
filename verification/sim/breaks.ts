import type { Break } from "./scripts.ts";

/** A rule broken on purpose, and the check that must fail. */
export interface Broken extends Break {
  /** The broken rule, in words. */
  readonly what: string;
  readonly kind: string;
  readonly rule: string;
  /** A seed that finds it. */
  readonly seed: number;
}

const of = (
  kind: string,
  rule: string,
  seed: number,
  what: string,
  [script, from, to]: readonly [script: string, from: string, to: string],
): Broken => ({ kind, rule, seed, what, script, from, to });

/** Each check of the simulation, with a change to a script under which it must fail. */
export const BREAKS: readonly Broken[] = [
  of("lock", "one holder", 1, "a lock that is held is granted", [
    "lock-acquire",
    "elseif asker == '' or asker ~= reentry_key then",
    "elseif asker == 'nobody' then",
  ]),
  of("lock", "tokens", 26, "a token is the time, not above the last", [
    "lock-acquire",
    "math.max(last + 1, now)",
    "now",
  ]),
  of("lock", "late", 1, "a request that is too late works", [
    "lock-acquire",
    "--@include fresh",
    "--@include clock\nif now > tonumber(ARGV[1]) + 1e12 then return { 'late', now } end",
  ]),
  of("lock", "ended for good", 5, "an id that is over is granted again", [
    "lock-acquire",
    "if outcome(id) then return ended() end",
    "if outcome(id) and now < 0 then return ended() end",
  ]),
  of("lock", "ended for good", 23, "a cancel closes nothing", [
    "lock-close",
    "if not before and (cancel or alive",
    "if not before and (alive",
  ]),
  of("lock", "never shorter", 1, "an extension shortens a lease", [
    "hold-extend",
    "if later > ends then",
    "if later ~= ends and ARGV[4] ~= '0' then",
  ]),
  of("lock", "costs", 1, "an acquisition runs one command more", [
    "lock-acquire",
    "local ends = holds[id]",
    "redis.call('TIME')\nlocal ends = holds[id]",
  ]),
  of("lock", "belief", 1, "a grant promises more than is stored", [
    "lock-acquire",
    "return { 'granted', now, last, ends - now, count }",
    "return { 'granted', now, last, ends - now + 2e6, count }",
  ]),
  of("lock", "errors", 27, "an answer is not of the form that is declared", [
    "lock-acquire",
    "return { 'granted', now, last, ends - now, count }",
    "return { 'granted', now, last, ends - now, tostring(count) }",
  ]),
  of("quorum", "belief", 1, "every server of a quorum grants what is held", [
    "lock-acquire",
    "if count == 0 then\n    usual_wait",
    "if count == 0 or asker == '' then\n    usual_wait",
  ]),
  of("rw", "one holder", 1, "a writer is granted beside readers", [
    "rw-acquire",
    "if read_until > 0 then",
    "if read_until > 0 and now < 0 then",
  ]),
  of("fair", "fair order", 1, "a free fair lock goes to whoever asks", [
    "fair-acquire",
    "if count > 0 or before_me > 0 then",
    "if count > 0 then",
  ]),
  of("turn", "newest wins", 137, "a call that had the lock before takes it again from a later one", [
    "fair-supersede",
    "superseded(id, ARGV[5])",
    "superseded(id, ARGV[5] * 0)",
  ]),
  of("turn", "ended for good", 2, "an ID that was superseded is granted again", [
    "fair-supersede",
    "if why then",
    "if why and now < 0 then",
  ]),
  of("collect", "messages", 1, "the messages of a turn that has ended stay", [
    "fair-collect",
    "if #gone > 0 then redis.call('ZREM', inbox, unpack(gone)) end",
    "",
  ]),
  of("collect", "messages", 1, "the key of a handled message is forgotten", [
    "fair-collect",
    "string.format('%.0f', -now - ttl_us)",
    "0",
  ]),
  of("collect", "messages", 1, "a message that arrives during a turn is not stored", [
    "fair-collect",
    "if is_new_message then store(adds, ttl_us) end",
    "",
  ]),
  of("collect", "messages", 1, "a turn ends with messages that it never had", [
    "fair-collect",
    "place_of(score) <= tonumber(ARGV[11])",
    "place_of(score) <= ARGV[11] + 9e15",
  ]),
  of("collect", "messages", 1, "a turn that was lost ends like one that was not", [
    "fair-collect",
    "outcome(former) ~= 'R'",
    "now < 0",
  ]),
  of("semaphore", "permits", 1, "one permit more than there are is granted", [
    "semaphore-acquire",
    "if free < wanted then",
    "if free < wanted - 1 then",
  ]),
  of("stock", "stock", 1, "what is spent stays in the number", [
    "semaphore-spend",
    "permits, til = math.max(number - count, -LARGEST)",
    "permits, til = math.max(number, -LARGEST)",
  ]),
  of("stock", "stock", 1, "a spend that is repeated is told that it is lost", [
    "semaphore-spend",
    "local is_duplicate = done == SPENT",
    "local is_duplicate = now < 0",
  ]),
  of("stock", "stock", 1, "what is not spent does not return", [
    "semaphore-spend",
    "redis.pcall('ZREM', crowd, unpack(gone))",
    "nil",
  ]),
  of("stock", "stock", 1, "permits are spent after their lease", [
    "semaphore-spend",
    "if ends > now then",
    "if ends > 0 then",
  ]),
  of("stock", "stock", 1, "one name is spent although another is lost", [
    "semaphore-spend",
    "if reason then return",
    "if reason and #steps == 0 then return",
  ]),
  of("counter", "permits", 1, "a counter does not count what it gives", [
    "semaphore-acquire",
    "permits, queued = count - wanted, queued + wanted",
    "permits, queued = count, queued + wanted",
  ]),
  of("counter", "permits", 4, "a counter is given more than was taken from it", [
    "semaphore-set",
    "ARGV[6] ~= '' and by > queued",
    "ARGV[6] ~= '' and by > queued and now < 0",
  ]),
  of("multi", "one holder", 1, "a name that is held is no hindrance in a group", [
    "group-acquire",
    "    elseif not held then",
    "    elseif not held and now < 0 then",
  ]),
  of("latch", "latch", 2, "a party counts as often as it calls", [
    "latch-down",
    "redis.call('ZADD', crowd, 'NX', 0, member) == 1",
    "redis.call('ZADD', crowd, 'NX', 0, member) >= 0",
  ]),
  of("once", "once", 1, "what is done is begun again", [
    "once-begin",
    "if done ~= '' then return { 'done', now, last, '=' .. result } end",
    "if done ~= '' and now < 0 then return { 'done', now, last, '=' .. result } end",
  ]),
  of("cron", "once", 1, "a slot that has run is begun again", [
    "cron-begin",
    "if done ~= '' then return { 'done', now, last, '=' .. result } end",
    "if done ~= '' and now < 0 then return { 'done', now, last, '=' .. result } end\n    done = ''",
  ]),
  of("cron", "one holder", 1, "a slot begins while another one runs", [
    "cron-begin",
    "if count > 0 then return { 'held', now, farthest - now } end",
    "if count > 0 and now < 0 then return { 'held', now, farthest - now } end",
  ]),
  of("cron", "fence", 1, "the end of an earlier run hides a later one", [
    "held-end",
    "and seen and token >= tonumber(seen)",
    "and seen",
  ]),
  of("queue", "one holder", 3, "a lock is acquired for a message while another client holds it", [
    "held-begin",
    "if count > 0 then return { 'held', now, farthest - now } end",
    "if count > 0 and now < 0 then return { 'held', now, farthest - now } end",
  ]),
  of("queue", "once", 2, "a message that is done is begun again", [
    "held-begin",
    "if done ~= '' then return { 'done', now, last, '=' .. result } end",
    "if done ~= '' and now < 0 then return { 'done', now, last, '=' .. result } end\n    done = ''",
  ]),
  of("queue", "once", 2, "a message that hands over a fair lock or a semaphore is begun again when it is done", [
    "once-begin",
    "if done ~= '' then return { 'done', now, last, '=' .. result } end",
    "if done ~= '' and now < 0 then return { 'done', now, last, '=' .. result } end",
  ]),
  of("turn", "ended for good", 1, "a step begins in a turn that is over", [
    "held-begin",
    "elseif holds[hold] and last == given then\n    under, left = given, holds[hold] - now",
    "elseif ARGV[10] == '0' or holds[hold] and last == given then\n    under, left = given, (holds[hold] or now) - now",
  ]),
  of("wake-ups", "liveness", 2, "the release of a lock wakes nobody", [
    "lock-close",
    "if not next(holds) then wake(1) end",
    "",
  ]),
  of("wake-ups", "liveness", 5, "the release of a fair lock wakes the second waiter instead of the first", [
    "fair-close",
    "wake_head(0)",
    "wake_head(1)",
  ]),
  of("wake-ups", "wake-ups", 2, "the release of a lock wakes everybody", [
    "lock-close",
    "if not next(holds) then wake(1) end",
    "if not next(holds) then wake_all() end",
  ]),
  of("wake-ups", "liveness", 17, "a latch at zero wakes nobody", [
    "latch-down",
    "if left == 0 then wake_all() end",
    "",
  ]),
  of("fence", "fence", 1, "a copy of a write works again", [
    "fence-write",
    "if not known then",
    "if not known or now > 0 then",
  ]),
];
