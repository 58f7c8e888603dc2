import { CLOSED_TWICE, EDGE, type Equivalent, FIRST_WRITE, LATEST_DEADLINE, OVER, of } from "./equivalent.ts";

/** Equivalents in the scripts of read-write locks. */
export const READ_WRITE: readonly Equivalent[] = [
  ...of("crowd-extend", "A re-entry key's account has each hold that is alive.", [
    "math.max(count, holding)",
    "(holding)",
  ]),
  ...of("rw-close", EDGE, ["ends < LATEST", "ends <= LATEST"]),
  ...of("rw-acquire", EDGE, ["mark > SETTLED", "mark >= SETTLED"]),
  ...of("include/accounts", "A re-entry key has 64 holds at most.", ["math.min(count, ACCOUNT_SIZE - 1)", "(count)"]),
  ...of("rw-acquire", "Who has no re-entry key holds nothing that others could share.", [
    "writers > 0 and mine",
    "mine",
  ]),
  ...of(
    "include/rw_expired",
    "A waiter is nobody's hold, and the account that it seems to name is nobody's.",
    ["member:match('^%x') and member:match('^[^@]*', ID_LENGTH + 1)", "member:match('^[^@]*', ID_LENGTH + 1)"],
    ["hash and ends > now - retention * MS", "ends > now - retention * MS"],
  ),
  ...of("include/rw_expired", "It may stay for one call more.", [
    "ends > now - retention * MS",
    "ends >= now - retention * MS",
  ]),
  ...of("include/rw_expired", "Removing members of a crowd that was removed changes nothing.", [
    "removals = {}",
    "removals = removals",
  ]),
  ...of("rw-acquire", "An account is written as it was.", ["gone[asker] > 0", "gone[asker] >= 0"]),
  ...of("rw-acquire", "The earlier of both is written.", ["#writes == 0 and 'LT' or nil", "nil"]),
  ...of("rw-acquire", "A re-entry key's account has each of its holds.", [
    "math.max(counted - gone[asker], 0)",
    "(counted - gone[asker])",
  ]),
  ...of("rw-acquire", "Nobody reads while another writes.", [
    "(writers == 0 or joins) and last_end() or 0",
    "last_end()",
  ]),
  ...of("rw-acquire", "An account ends with the last of its re-entry key's reads.", [
    "phase and until_then > now",
    "until_then > now",
  ]),
  ...of("rw-acquire", "A hold that is alive has a token.", [
    "mark <= now or mark > SETTLED or token == 0",
    "mark <= now or mark > SETTLED",
  ]),
  ...of("rw-acquire", "An id that reads is on the account of its re-entry key, or has none.", [
    "mark > 0 or joins",
    "joins",
  ]),
  ...of("rw-acquire", "For a first read it is chosen anew below.", ["again and mine", "mine"]),
  ...of("rw-acquire", "Looking changes nothing.", ["back > 0", "back >= 0"]),
  ...of(
    "rw-acquire",
    "As many holds are over as the account has only if it is over itself.",
    ["until_then > now and held > gone[asker]", "until_then > now"],
    ["held > gone[asker]", "held >= gone[asker]"],
  ),
  ...of("rw-close", CLOSED_TWICE, ["cancel and not before", "cancel"]),
  ...of("rw-close", CLOSED_TWICE, [
    "not before and (cancel or holds[own] and last == token or is_reader)",
    "(cancel or holds[own] and last == token or is_reader)",
  ]),
  ...of(
    "rw-close",
    FIRST_WRITE,
    ["lets_go = holds[own] or reads_on", "lets_go = nil"],
    ["holds[own] or reads_on", "holds[own]"],
    ["holds[own] or reads_on", "reads_on"],
    ["lets_go and rest == 0", "lets_go"],
    ["lets_go and rest == 0", "rest == 0"],
  ),
  ...of("rw-acquire", EDGE, ["til > now", "til >= now"]),
  ...of("rw-acquire", "Removing what is not there changes nothing.", [
    "busy and not stale and mode ~= 'steal'",
    "busy and not stale",
  ]),
  ...of("rw-acquire", "Removing what is not there changes nothing.", ["busy and not stale", "busy"]),
  ...of("rw-close", OVER, [
    "math.max(now, survey(), rest, queued, ahead(waiter))",
    "math.max(survey(), rest, queued, ahead(waiter))",
  ]),
  ...of("rw-close", OVER, [
    "math.min(til, math.max(now, survey(), rest, queued, ahead(waiter)))",
    "(math.max(now, survey(), rest, queued, ahead(waiter)))",
  ]),
  ...of("rw-close", "A free name is of any kind.", ["rest > 0", "rest >= 0"]),
  ...of("rw-force", "Both are no holder.", ["had = false", "had = nil"]),
  ...of("rw-force", FIRST_WRITE, ["rest <= now", "rest < now"]),
  ...of(
    "rw-force",
    "Nobody is left who has the token, and the next reader gets another.",
    ["if not next(holds) then … end", ""],
    ["if rest == 0 then … end", ""],
  ),
  ...of(
    "rw-force",
    OVER,
    ["math.min(til, math.max(now, survey(), rest))", "(math.max(now, survey(), rest))"],
    ["math.max(now, survey(), rest)", "math.max(survey(), rest)"],
  ),
  ...of("include/rw_expired", "`look` sets it before it is read.", ["scores = {}", "scores = nil"]),
  ...of("include/rw_expired", "Removing a mark that is not there changes nothing.", [
    "hash and member:find('@', ID_LENGTH + 1, true)",
    "hash",
  ]),
  ...of(
    "include/rw",
    LATEST_DEADLINE,
    [
      "queued > now and redis.call('ZRANGEBYSCORE', crowd, -LATEST, -now - 1, 'WITHSCORES', 'LIMIT', 0, 2) or {}",
      "redis.call('ZRANGEBYSCORE', crowd, -LATEST, -now - 1, 'WITHSCORES', 'LIMIT', 0, 2)",
    ],
    ["queued > now", "queued >= now"],
  ),
  ...of("include/rw_expired", "Removing a mark that is not there changes nothing.", [
    "hash and member:find('@', ID_LENGTH + 1, true)",
    "member:find('@', ID_LENGTH + 1, true)",
  ]),
];
