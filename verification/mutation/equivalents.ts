/** A change that breaks no rule, with the reason. */
export interface Equivalent {
  readonly file: string;
  /** The part that is changed and the part that it becomes, as the tool prints them. */
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

type Pair = readonly [from: string, to: string];
const of = (file: string, why: string, ...changes: readonly Pair[]): Equivalent[] =>
  changes.map(([from, to]) => ({ file: `lua/${file}.lua`, from, to, why }));

const CLOSED_TWICE = "An id that is closed again is closed, and its first ending is the one that is found.";
const ONE_KIND = "A hold is alive in one record only, that of the kind which granted it.";
const REFUSED_FIRST = "A server that refuses the SET has refused the write before it.";
const SAME_END = "An end that is the same is written once more.";
const EDGE = "No time and no memory falls on the edge of a band.";
const FIRST_WRITE = "A server that accepts a script's first write accepts the others.";
const LOOP = "Redis takes as many arguments in one call; the limit is for servers that take fewer.";
const OVER = "An end that is over is as good as now.";
const ORDERED = "The members come in the order of their scores.";

/** Changes that no check can tell, since nothing that anybody may rely on differs. */
export const EQUIVALENTS: readonly Equivalent[] = [
  ...of("crowd-extend", "Nothing is written unless the end is later.", ["ends and later > ends", "ends"]),
  ...of(
    "crowd-extend",
    "The permits of a hold end together.",
    ["math.min(ends or this, this)", "(this)"],
    ["math.min(ends or this, this)", "(ends or this)"],
    ["ends or this", "this"],
    ["math.max(this, later)", "(later)"],
  ),
  ...of("crowd-extend", "A reentry key's account has each hold that is alive.", [
    "math.max(count, holding)",
    "(holding)",
  ]),
  ...of("crowd-extend", "It is written only where the new end is later than that of the hold.", [
    "math.max(farthest, ends, later)",
    "math.max(farthest, later)",
  ]),
  ...of("crowd-extend", SAME_END, ["later > ends", "later >= ends"]),
  ...of("hold-extend", SAME_END, ["later > ends", "later >= ends"]),
  ...of("group-extend", SAME_END, ["later > ends", "later >= ends"]),
  ...of("crowd-extend", EDGE, ["this < LATEST", "this <= LATEST"]),
  ...of("rw-close", EDGE, ["ends < LATEST", "ends <= LATEST"]),
  ...of("rw-acquire", EDGE, ["mark > SETTLED", "mark >= SETTLED"]),
  ...of("include/permits", EDGE, ["score < -MEMORIES", "score <= -MEMORIES"]),
  ...of("include/permits", "It is set with the first permit that is counted.", ["ends = 0", "ends = nil"]),
  ...of("include/permits", "Removing members of a crowd that was removed changes nothing.", [
    "gone = {}",
    "gone = gone",
  ]),
  ...of("include/semaphore", "Arithmetic makes a number of it.", ["queue = tonumber(queue)", "queue = queue"]),
  ...of("include/members", "A list of permits begins with its first.", ["not own and id or nil", "id"]),
  ...of("semaphore-acquire", "An average of waits is not negative.", [
    "math.max(queue + math.min((ARGV[8] * MS - queue) / AVERAGED, MOST_TENURES * tenure), 0)",
    "(queue + math.min((ARGV[8] * MS - queue) / AVERAGED, MOST_TENURES * tenure))",
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
  ...of("semaphore-close", OVER, ["math.max(now, farthest[2] or 0, queued)", "math.max(farthest[2] or 0, queued)"]),
  ...of(
    "semaphore-close",
    FIRST_WRITE,
    ["if alive == 0 then … end", ""],
    ["alive == 0", "not (alive == 0)"],
    ["if type(reply) == 'table' and reply.err then … end", ""],
    ["type(reply) == 'table' and reply.err", "type(reply) == 'table'"],
  ),
  ...of(
    "semaphore-set",
    "A semaphore's places are not before the clock, and a counter's number begins with its next change.",
    ["ours == 'counter' and permits and (not before or change == 'set')", "(not before or change == 'set')"],
    ["ours == 'counter' and permits", "ours == 'counter'"],
    ["ours == 'counter' and permits", "permits"],
  ),
  ...of("lock-close", OVER, ["math.max(survey(), now)", "(survey())"]),
  ...of(
    "once-close",
    CLOSED_TWICE,
    ["not cancel and due > 0", "not cancel"],
    ["not cancel and due > 0", "due > 0"],
    ["due > 0", "due >= 0"],
  ),
  ...of("once-begin", "It is asked only whether it is later than now.", ["math.max(til, now + 1)", "(now + 1)"]),
  ...of("lock-commit", "A token that is the same is written once more.", ["last < token", "last <= token"]),
  ...of("include/waited", "The first wait counts for nothing, and so does one at the beginning of time.", [
    "til > 0",
    "til >= 0",
  ]),
  ...of("include/latch", "Another kind that has the name is refused before.", [
    "kind == 'latch' and til > now",
    "til > now",
  ]),
  ...of("include/once", "It is set before it is written.", ["result = ''", "result = nil"]),
  ...of("include/record", "A record of another release is refused before that.", ["body = ''", "body = body"]),
  ...of(
    "include/vacate",
    FIRST_WRITE,
    ["set and set.err and set.err:find('OOM', 1, true)", "set and set.err"],
    ["not lets_go or next(holds)", "not lets_go"],
    ["redis.call('DEL', key)", ""],
  ),
  ...of("name-inspect", "It is asked only whether it is true.", ["local fits = false", "local fits"]),
  ...of("name-release", "The same token is asked for before.", ["its < token", "its <= token"]),
  ...of(
    "name-release",
    "It is used only where it is set.",
    ["picked = {}", "picked = nil"],
    ["rest = 0", "rest = nil"],
  ),
  ...of(
    "name-release",
    "The token of a phase whose readers are over is the last one, or is forgotten.",
    ["many > 0 and tonumber(reading) == token", "tonumber(reading) == token"],
    ["many > 0", "many >= 0"],
  ),
  ...of(
    "name-release",
    FIRST_WRITE,
    ["kind ~= 'once' and kind ~= 'semaphore'", "kind ~= 'once'"],
    ["kind ~= 'once' and kind ~= 'semaphore'", "kind ~= 'semaphore'"],
    ["if failed then … end", ""],
  ),
  ...of("crowd-force", "A name that is free has the kind of whoever takes it next.", ["kind = ours", "kind = kind"]),
  ...of("record-force", "A name that is free has the kind of whoever takes it next.", [
    "kind = ARGV[3]",
    "kind = kind",
  ]),
  ...of("fence-call", "The fence cannot be written on such a server either, and the error is the same.", [
    "return reply",
    "",
  ]),
  ...of("group-close", "It writes that expired holds are closed, as every script does that writes the record.", [
    "changed and (cancel or not elsewhere)",
    "changed",
  ]),
  ...of("fence-call", "An error of Redis begins with its code.", [
    "(reply.err:match('^%u+') or '')",
    "reply.err:match('^%u+')",
  ]),
  ...of("group-acquire", "Names that are held under different tokens are refused below.", [
    "math.max(token, last)",
    "(last)",
  ]),
  ...of("group-close", CLOSED_TWICE, [
    "not before and (cancel or alive and last == token and not elsewhere)",
    "(cancel or alive and last == token and not elsewhere)",
  ]),
  ...of("lock-close", CLOSED_TWICE, [
    "not before and (cancel or alive and last == token and not taken(ours))",
    "(cancel or alive and last == token and not taken(ours))",
  ]),
  ...of("lock-close", CLOSED_TWICE, ["cancel and not before", "cancel"]),
  ...of("fair-close", CLOSED_TWICE, [
    "not before and (cancel or alive and last == token and not taken(ours))",
    "(cancel or alive and last == token and not taken(ours))",
  ]),
  ...of("fair-close", CLOSED_TWICE, ["cancel and not before", "cancel"]),
  ...of("fair-close", ONE_KIND, ["alive and last == token and not taken(ours)", "alive and last == token"]),
  ...of("fair-close", OVER, ["math.max(survey(), queued, now)", "math.max(survey(), queued)"]),
  ...of("fair-acquire", "A deadline that is just covered may be written once more.", [
    "deadline > math.min(queued, til)",
    "deadline >= math.min(queued, til)",
  ]),
  ...of("fair-acquire", "A waiter has both of its members or neither.", [
    "line_up(id, ticket, deadline) > 1",
    "line_up(id, ticket, deadline) >= 1",
  ]),
  ...of("once-close", CLOSED_TWICE, [
    "not before and (cancel or alive and last == token and not taken('once'))",
    "(cancel or alive and last == token and not taken('once'))",
  ]),
  ...of("once-close", CLOSED_TWICE, ["cancel and not before", "cancel"]),
  ...of("group-close", ONE_KIND, ["alive and last == token and not elsewhere", "alive and last == token"]),
  ...of("group-close", ONE_KIND, ["alive and not elsewhere", "alive"]),
  ...of("lock-close", ONE_KIND, ["alive and last == token and not taken(ours)", "alive and last == token"]),
  ...of("include/latch", "It is printed as the text that it was.", ["of = tonumber(of)", "of = of"]),
  ...of("include/oust", LOOP, ["math.min(from + CHUNK - 1, #list)", "(#list)"]),
  ...of(
    "name-release",
    LOOP,
    ["math.min(from + CHUNK - 1, #found)", "(#found)"],
    ["math.min(from + CHUNK - 1, #picked)", "(#picked)"],
  ),
  ...of("name-release", ORDERED, ["math.max(rest, found[at + 1])", "(found[at + 1])"]),
  ...of("name-release", "A writer that is alive has the last token.", [
    "fits or next(holds) and tonumber(writing) == token",
    "fits",
  ]),
  ...of("name-release", OVER, ["math.max(now, rest, tonumber(queued))", "math.max(rest, tonumber(queued))"]),
  ...of("include/accounts", "A reentry key has 64 holds at most.", ["math.min(count, ACCOUNT_SIZE - 1)", "(count)"]),
  ...of(
    "latch-down",
    REFUSED_FIRST,
    ["if set and set.err then … end", ""],
    ["set and set.err", "set.err"],
    ["redis.call('ZREM', crowd, member)", ""],
    ["return set", ""],
  ),
  ...of("rw-acquire", "Who has no reentry key holds nothing that others could share.", ["count > 0 and mine", "mine"]),
  ...of(
    "rw-acquire",
    "A waiter is nobody's hold, and the account that it seems to name is nobody's.",
    ["member:match('^%x') and member:match('^[^@]*', ID_LENGTH + 1)", "member:match('^[^@]*', ID_LENGTH + 1)"],
    ["hash and ends > now - retention * MS", "ends > now - retention * MS"],
  ),
  ...of("rw-acquire", "It may stay for one call more.", [
    "ends > now - retention * MS",
    "ends >= now - retention * MS",
  ]),
  ...of("rw-acquire", "Removing members of a crowd that was removed changes nothing.", ["list = {}", "list = list"]),
  ...of("rw-acquire", "The crowd is removed at the end in any case.", ["redis.call('UNLINK', crowd)", ""]),
  ...of("rw-acquire", "An account is written as it was.", ["gone[asker] > 0", "gone[asker] >= 0"]),
  ...of("rw-acquire", "The earlier of both is written.", ["#left == 0 and 'LT' or nil", "nil"]),
  ...of("rw-acquire", "A reentry key's account has each of its holds.", [
    "math.max(counted - gone[asker], 0)",
    "(counted - gone[asker])",
  ]),
  ...of("rw-acquire", "Nobody reads while another writes.", ["(count == 0 or joins) and reads() > 0", "reads() > 0"]),
  ...of("rw-acquire", "An account ends with the last of its reentry key's reads.", [
    "phase and until_then > now",
    "until_then > now",
  ]),
  ...of("rw-acquire", "A hold that is alive has a token.", [
    "mark <= now or mark > SETTLED or token == 0",
    "mark <= now or mark > SETTLED",
  ]),
  ...of("rw-acquire", "An id that reads is on the account of its reentry key, or has none.", [
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
    "not before and (cancel or holds[own] and last == token or reads_on and (token == writing or token == reading))",
    "(cancel or holds[own] and last == token or reads_on and (token == writing or token == reading))",
  ]),
  ...of(
    "rw-close",
    FIRST_WRITE,
    ["lets_go = holds[own] or reads_on", "lets_go = nil"],
    ["holds[own] or reads_on", "holds[own]"],
    ["holds[own] or reads_on", "reads_on"],
    ["lets_go and rest == 0", "lets_go"],
    ["lets_go and rest == 0", "rest == 0"],
    ["if failed then … end", ""],
  ),
  ...of("fair-acquire", EDGE, ["queued > now", "queued >= now"]),
  ...of("rw-acquire", EDGE, ["til > now", "til >= now"]),
  ...of("rw-close", "An account is written as it was.", ["reads_on and count > 0", "count > 0"]),
  ...of("rw-close", OVER, [
    "math.max(now, survey(), rest, queued, ahead())",
    "math.max(survey(), rest, queued, ahead())",
  ]),
  ...of("rw-force", "Both are no holder.", ["had = false", "had = nil"]),
  ...of("rw-force", FIRST_WRITE, ["rest <= now", "rest < now"], ["if failed then … end", ""]),
  ...of(
    "rw-force",
    "Nobody is left who has the token, and the next reader gets another.",
    ["if not next(holds) then … end", ""],
    ["reading = 0", "reading = reading"],
    ["if rest == 0 then … end", ""],
  ),
  ...of(
    "rw-force",
    OVER,
    ["math.min(til, math.max(now, survey(), rest))", "(math.max(now, survey(), rest))"],
    ["math.max(now, survey(), rest)", "math.max(survey(), rest)"],
  ),
  ...of("rw-acquire", "`look` sets it before it is read.", ["scores = {}", "scores = nil"]),
  ...of("rw-acquire", "Removing a mark that is not there changes nothing.", [
    "hash and member:find('@', ID_LENGTH + 1, true)",
    "hash",
  ]),
];
