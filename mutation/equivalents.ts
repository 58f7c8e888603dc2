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
const LOOP = "Redis takes as many arguments in one call; the limit is for servers that take fewer.";
const OVER = "An end that is over is as good as now.";
const ORDERED = "The members come in the order of their scores.";

/** Changes that no check can tell, since nothing that anybody may rely on differs. */
export const EQUIVALENTS: readonly Equivalent[] = [
  ...of("crowd-extend", "Nothing is written unless the end is later.", ["ends and later > ends", "ends"]),
  ...of("crowd-extend", "`tonumber` of false is nil.", ["table.remove(scores, 1) or nil", "table.remove(scores, 1)"]),
  ...of(
    "crowd-extend",
    "The permits of a hold end together.",
    ["math.min(ends or this, this)", "(this)"],
    ["math.min(ends or this, this)", "(ends or this)"],
    ["ends or this", "this"],
    ["math.max(this, later)", "(later)"],
  ),
  ...of("crowd-extend", "An owner's account has each hold that is alive.", ["math.max(count, holding)", "(holding)"]),
  ...of("crowd-extend", "It is written only where the new end is later than that of the hold.", [
    "math.max(farthest, ends, later)",
    "math.max(farthest, later)",
  ]),
  ...of("crowd-force", "Both are no holder.", ["local ousted = false", "local ousted"]),
  ...of("crowd-force", "A name that is free has the kind of whoever takes it next.", ["kind = ours", "kind = kind"]),
  ...of("record-force", "A name that is free has the kind of whoever takes it next.", [
    "kind = ARGV[3]",
    "kind = kind",
  ]),
  ...of("fence-call", "The fence cannot be written on such a server either, and the error is the same.", [
    "return reply",
    "",
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
  ...of("include/oust", LOOP, ["math.min(from + 1999, #list)", "(#list)"]),
  ...of(
    "name-release",
    LOOP,
    ["math.min(from + chunk - 1, #found)", "(#found)"],
    ["math.min(from + chunk - 1, #picked)", "(#picked)"],
  ),
  ...of("name-release", ORDERED, ["math.max(rest, found[at + 1])", "(found[at + 1])"]),
  ...of("name-release", "A writer that is alive has the last token.", [
    "fits or next(holds) and tonumber(writing) == token",
    "fits",
  ]),
  ...of("name-release", OVER, ["math.max(now, rest, tonumber(queued))", "math.max(rest, tonumber(queued))"]),
  ...of("include/owners", "An owner has 64 holds at most.", ["math.min(count, 255)", "(count)"]),
  ...of(
    "latch-down",
    REFUSED_FIRST,
    ["if set and set.err then … end", ""],
    ["set and set.err", "set.err"],
    ["redis.call('ZREM', crowd, member)", ""],
    ["return set", ""],
  ),
  ...of("rw-acquire", "Who has no owner holds nothing that others could share.", ["count > 0 and mine", "mine"]),
  ...of("rw-acquire", "`look` sets it before it is read.", ["scores = {}", "scores = nil"]),
  ...of("rw-acquire", "Removing a mark that is not there changes nothing.", [
    "hash and member:find('@', 37, true)",
    "hash",
  ]),
];
