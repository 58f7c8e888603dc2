import { CLOSED_TWICE, EDGE, type Equivalent, MICROSECOND, OVER, of } from "./equivalent.ts";

/** Equivalents in the scripts of semaphores and counters. */
export const SEMAPHORES: readonly Equivalent[] = [
  ...of("include/permits", EDGE, ["score < -MEMORIES", "score <= -MEMORIES"]),
  ...of("include/permits", "It is set with the first permit that is counted.", ["ends = 0", "ends = nil"]),
  ...of("include/permits", "Removing members of a crowd that was removed changes nothing.", [
    "gone = {}",
    "gone = gone",
  ]),
  ...of("include/permits", "A removal without members fails, and is not needed.", ["#gone > 0", "#gone >= 0"]),
  ...of("include/semaphore", "Arithmetic makes a number of it.", ["queue = tonumber(queue)", "queue = queue"]),
  ...of("include/members", "A list of permits begins with its first.", ["not own and id or nil", "id"]),
  ...of("semaphore-acquire", "An average of waits is not negative.", [
    "math.max(queue + math.min((ARGV[8] * MS - queue) / AVERAGED, MAX_TENURES * tenure), 0)",
    "(queue + math.min((ARGV[8] * MS - queue) / AVERAGED, MAX_TENURES * tenure))",
  ]),
  ...of(
    "semaphore-close",
    CLOSED_TWICE,
    ["local before = outcome(own)", "local before"],
    ["before and { 'closed', now } or close_elsewhere(own, ARGV[4] + 0)", "close_elsewhere(own, ARGV[4] + 0)"],
    ["done = done or not request and before and CANCELLED or nil", ""],
    ["done or not request and before and CANCELLED", "done"],
    ["not request and before", "before"],
    [
      "not done and (cancel or alive > 0 and granted == token and #goes == some)",
      "(cancel or alive > 0 and granted == token and #goes == some)",
    ],
  ),
  ...of(
    "semaphore-close",
    "Each of these is an outcome, or none.",
    ["done or not request and before and CANCELLED or nil", "done or not request and before and CANCELLED"],
    ["not request and before and CANCELLED", "not request and before"],
  ),
  ...of(
    "semaphore-close",
    "A release has a permit that is alive.",
    ["alive > 0 and not cancel", "not cancel"],
    ["alive > 0", "alive >= 0"],
  ),
  ...of("semaphore-close", "The time of an outcome is rounded, and ends with the digit of the outcome.", [
    "till - ARGV[3] * MS + STEP >= placed",
    "till - ARGV[3] * MS + STEP > placed",
  ]),
  ...of("semaphore-close", "A counter without a number is over.", [
    "kind == 'semaphore' and not permits",
    "not permits",
  ]),
  ...of("semaphore-close", "A free name is of any kind.", ["til > 0", "til >= 0"]),
  ...of(
    "include/semaphore",
    "Without a permit in use, none ends.",
    ["count > 0 and kind == 'none'", "kind == 'none'"],
    ["count > 0", "count >= 0"],
  ),
  ...of("semaphore-set", "A counter's permits have no end.", [
    "kind == 'none' and ours == 'semaphore'",
    "kind == 'none'",
  ]),
  ...of("semaphore-close", OVER, [
    "math.max(now, last_end_besides(goes), queued)",
    "math.max(last_end_besides(goes), queued)",
  ]),
  ...of(
    "semaphore-set",
    "A semaphore's places are not before the clock, and a counter's number begins with its next change.",
    ["ours == 'counter' and permits and (not before or change == 'set')", "(not before or change == 'set')"],
    ["ours == 'counter' and permits", "ours == 'counter'"],
    ["ours == 'counter' and permits", "permits"],
  ),
  ...of("include/permits", MICROSECOND, ["score >= -now", "score > -now"]),
  ...of("semaphore-close", MICROSECOND, ["queued > now", "queued >= now"]),
  ...of("semaphore-set", MICROSECOND, ["queued > now", "queued >= now"]),
  ...of("semaphore-spend", MICROSECOND, ["queued > now", "queued >= now"]),
  ...of("semaphore-queue", MICROSECOND, ["queued > now", "queued >= now"], ["queued <= now", "queued < now"]),
  ...of("semaphore-queue", "Both are no note.", ["first = ''", "first = nil"]),
  ...of("semaphore-close", "What the permits of a hold say of its end, its mark says too.", [
    "over or lapsed(ends)",
    "lapsed(ends)",
  ]),
];
