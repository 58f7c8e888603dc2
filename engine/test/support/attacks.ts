/** Commands of one request that ask for work or memory without end, from little text. */
export interface Attack {
  readonly what: string;
  /** Run first, each as a request of its own. */
  readonly before: readonly (readonly string[])[];
  readonly request: readonly (readonly string[])[];
  /** Whether it would never end, so that the end of the budget must end it. */
  readonly isEndless: boolean;
}

const KB = 1000;
const MB = 1000 * KB;

const attack = (
  what: string,
  request: readonly (readonly string[])[],
  before: readonly (readonly string[])[] = [],
  isEndless = false,
): Attack => ({ what, before, request, isEndless });

/** A script, with its arguments. */
const script = (
  what: string,
  text: string,
  before: readonly (readonly string[])[] = [],
  args: readonly string[] = [],
): Attack => attack(what, [["EVAL", text, "0", ...args]], before, /while true|until false/.test(text));

/** A script that does something for ever. */
const loop = (
  what: string,
  body: string,
  first = "",
  before: readonly (readonly string[])[] = [],
  args: readonly string[] = [],
): Attack => attack(`${what}, in a loop`, [["EVAL", `${first} while true do ${body} end`, "0", ...args]], before, true);

const counted = (count: number, item: (n: number) => string | readonly string[]): string[] =>
  Array.from({ length: count }, (_, n) => item(n)).flat();

/** Digits that no number ends with: the whole text has to be read to know. */
const DIGITS = `${"9".repeat(300 * KB)}x`;
const FRACTION = `${"9".repeat(150 * KB)}.${"9".repeat(150 * KB)}x`;
/** Matches only in the last place, if at all. */
const STARS = `${"*a".repeat(30)}*b`;
const LONG_NAME = "a".repeat(3 * KB);

const MANY = 100 * KB;
const LIST = ["RPUSH", "list", ...counted(MANY, (n) => `item${n}`)];
const SET = ["SADD", "set", ...counted(MANY, (n) => `item${n}`)];
const HASH = ["HSET", "hash", ...counted(MANY, (n) => [`field${n}`, "value"])];
const ZSET = ["ZADD", "zset", ...counted(MANY, (n) => [String(n), `item${n}`])];
const STRINGS = ["MSET", ...counted(MANY, (n) => [`key${n}`, "value"])];
const LONG = counted(100, (n) => "x".repeat(50 * KB) + n);
const LONG_MEMBERS = ["ZADD", "z", ...LONG.flatMap((text) => ["0", text])];
const LONG_BOUND = "local b = '[' .. string.rep('x', 50000)";
const LARGE = ["SET", "large", "x".repeat(MB)];

/** Numbers that V8 hashes to the same bucket of a map with up to 2^16 entries: its hash of integers has no seed. */
function collidingIntegers(count: number): number[] {
  const unsigned = (value: number): number => value >>> 0;
  const inverse = (odd: number): number => {
    let found = odd;
    for (let n = 0; n < 5; n++) found = Math.imul(found, 2 - Math.imul(odd, found));
    return unsigned(found);
  };
  const unshift = (value: number, by: number): number => {
    let found = value;
    for (let n = by; n < 32; n += by) found = unsigned(value ^ (found >>> by));
    return found;
  };
  return Array.from({ length: count }, (_, n) => {
    let hash = unshift(unsigned((n << 15) | 5), 16);
    hash = unshift(unsigned(Math.imul(hash, inverse(2057))), 4);
    hash = unshift(unsigned(Math.imul(hash, inverse(5))), 12);
    return Math.imul(unsigned(hash + 1), inverse((1 << 15) - 1)) | 0;
  });
}

const NUMBERS: readonly Attack[] = [
  attack("digits and an x as a bound of ZCOUNT", [["ZCOUNT", "zset", DIGITS, "+inf"]]),
  attack("digits and an x as a bound of ZRANGEBYSCORE", [["ZRANGEBYSCORE", "zset", "-inf", `(${FRACTION}`]]),
  attack("digits and an x as a score of ZADD", [["ZADD", "z", DIGITS, "member"]]),
  attack("digits, a point and digits as a score of ZINCRBY", [["ZINCRBY", "z", FRACTION, "member"]]),
  attack("digits and an x as an increment", [["INCRBYFLOAT", "n", FRACTION]]),
  attack("digits and an x as an increment of a field", [["HINCRBYFLOAT", "h", "n", FRACTION]]),
  attack("300 kB of digits as an increment", [["INCRBYFLOAT", "n", `0.${"9".repeat(300 * KB)}`]]),
  attack("a tiny increment", [["INCRBYFLOAT", "n", "1e-300000000"]]),
  attack("a tiny increment of a field", [["HINCRBYFLOAT", "h", "n", "1e-300000000"]]),
  attack("a tiny number as a value", [["INCRBYFLOAT", "n", "1"]], [["SET", "n", "1e-300000000"]]),
  loop("a large increment", "redis.call('INCRBYFLOAT', 'n', '1e300')"),
  loop("a long increment", "redis.call('INCRBYFLOAT', 'n', d)", "local d = '0.' .. string.rep('9', 5000) .. 'e-4000'"),
  script("digits and an x for tonumber", "return tonumber(string.rep('9', 300000) .. 'x')"),
  script(
    "digits, a point, digits and an x for tonumber",
    "return tonumber(string.rep('9', 150000) .. '.' .. string.rep('9', 150000) .. 'x')",
  ),
  script("spaces and an x for tonumber", "return tonumber(string.rep(' ', 300000) .. 'x')"),
  script("digits and an x in arithmetic", "return string.rep('9', 300000) .. 'x' + 1"),
  script("digits and an x as a limit of a loop", "for i = 1, string.rep('9', 300000) .. 'x' do end"),
  script("digits in the source", `return ${"9".repeat(300 * KB)}.${"9".repeat(300 * KB)}`),
  script("digits and an x in the source", `return ${DIGITS}`),
  loop("a long number for tonumber", "tonumber(s)", "local s = string.rep('9', 1000000)"),
  loop("a long number with a base", "tonumber(s, 36)", "local s = string.rep('z', 1000000)"),
  script("spaces and an x with a base", "return tonumber(string.rep(' ', 300000) .. '!', 16)"),
];

const TEXTS: readonly Attack[] = [
  loop("string.reverse of 20 MB", "s:reverse()", "local s = string.rep('ab', 10000000)"),
  loop("string.upper of 20 MB", "s:upper()", "local s = string.rep('aB', 10000000)"),
  loop("string.lower of 20 MB", "s:lower()", "local s = string.rep('aB', 10000000)"),
  loop("string.reverse of 100 kB", "s:reverse()", "local s = string.rep('ab', 50000)"),
  loop("string.upper of 100 kB", "s:upper()", "local s = string.rep('aB\\255', 30000)"),
  script("string.rep of a gigabyte", "return #string.rep('a', 1e9)"),
  script("string.rep of more than there is", "return #string.rep('ab', 1e300)"),
  script("nothing repeated", "return #string.rep('', 1e300)"),
  loop("string.rep of kilobytes that are kept", "t[#t + 1] = string.rep('a', 10000) .. #t", "local t = {}"),
  script("a text that doubles", "local s = 'ab' for i = 1, 100 do s = s .. s end return #s"),
  script("texts that double and are kept", "local t = { 'ab' } for i = 1, 60 do t[i + 1] = t[i] .. t[i] end return #t"),
  loop("a text that grows and is read", "s = s .. 'x' n = s:byte(-1)", "local s, n = string.rep('x', 100000)"),
  loop("texts that grow and are keys", "s = s .. 'x' t[s] = 1", "local s, t = string.rep('x', 10000), {}"),
  script("string.byte of 20 MB", "return select('#', string.byte(string.rep('a', 20000000), 1, -1))"),
  loop("string.byte of 7 kB", "s:byte(1, -1)", "local s = string.rep('a', 7000)"),
  loop("string.char of 7 000 bytes", "string.char(unpack(t))", "local t = { string.rep('a', 7000):byte(1, -1) }"),
  loop(
    "string.sub of a large text that is kept",
    "t[#t + 1] = s:sub(2, -2)",
    "local s, t = string.rep('a', 100000), {}",
  ),
  loop("string.format of a wide field", "string.format(f, 1, 2, 3)", "local f = string.rep('%99d', 3)"),
  loop("string.format of many decimals", "string.format('%.99f', 1e-300)"),
  loop("string.format of a large number", "string.format('%.99f', 1e300)"),
  loop("string.format of a large text", "string.format('%s%s', s, s)", "local s = string.rep('a', 1000000)"),
  loop("string.format of a quoted text", "string.format('%q', s)", "local s = string.rep('\\\\', 1000000)"),
  loop(
    "string.format of another template",
    "n = n + 1 pcall(string.format, s .. n)",
    "local n, s = 0, string.rep('%%', 50000)",
  ),
  script("string.format of a template without end", "return #string.format(string.rep('%%', 20000000))"),
  loop("texts of large numbers", "local s = '' .. 1e21"),
  loop("texts of fractions", "local s = '' .. n n = n + 0.1", "local n = 0.1"),
  loop(
    "comparisons of equal texts",
    "n = a == b",
    "local n, a, b = 0, string.rep('a', 1000000), string.rep('a', 1000000)",
  ),
  loop("order of equal texts", "n = a < b", "local n, a, b = 0, string.rep('a', 1000000), string.rep('a', 1000000)"),
  loop(
    "a long key",
    "n = t[b]",
    "local n, a, b = 0, string.rep('a', 1000000), string.rep('a', 1000000) local t = { [a] = 1 }",
  ),
  loop("string.upper of a few characters", "('abc'):upper()"),
  loop("numbers as arguments", "redis.call('ECHO', 0.1)"),
  loop("redis.sha1hex of nothing", "redis.sha1hex('')"),
  loop("redis.sha1hex of 1 MB", "redis.sha1hex(s)", "local s = string.rep('a', 1000000)"),
];

const PATTERNS: readonly Attack[] = [
  script("a pattern that goes back", "return string.find(string.rep('a', 3000), string.rep('a-', 30) .. 'b')"),
  script("a pattern with many places to begin", "return string.find(string.rep('(', 300000), '%b()')"),
  script("a pattern that repeats a capture", "return string.find(string.rep('a', 30000), '(.*)%1b')"),
  script("a replacement", "return string.gsub(string.rep('a', 3000), string.rep('a*', 30) .. 'b', '')"),
  loop("a search that finds no place", "s:find('[bc]d')", "local s = string.rep('a', 1000000)"),
  script(
    "a search for a text that almost occurs",
    "return string.find(string.rep('a', 1000000), 'b' .. string.rep('a', 100000), 1, true)",
  ),
  script(
    "the same with a special character",
    "return string.find(string.rep('a', 1000000), 'b' .. string.rep('a', 100000) .. '%%')",
  ),
  loop("a plain search", "s:find('b', 1, true)", "local s = string.rep('a', 1000000)"),
  script("a set of a megabyte", "return string.find(string.rep('a', 100), '[' .. string.rep('bc', 500000) .. ']')"),
  script("sets that are long", `return string.find(string.rep('a', 100), string.rep('[${"b-c".repeat(300)}]?', 3000))`),
  script("parentheses", "return string.find(string.rep('a', 1000), '.-' .. string.rep('(', 1000000))"),
  loop("another long pattern", "n = n + 1 s:match(s .. n)", "local n, s = 0, string.rep('a', 10000)"),
  loop(
    "another pattern of sets",
    "n = n + 1 s:match(p .. n)",
    "local n, s, p = 0, string.rep('a', 3000), string.rep('[a-z]', 3000)",
  ),
  script("gsub of nothing", "return string.gsub(string.rep('a', 20000000), '', '')"),
  script("gsub of each character", "return string.gsub(string.rep('a', 20000000), 'b', '')"),
  script("gsub by a long template", "return #string.gsub(string.rep('a', 1000000), '.', string.rep('%0', 100000))"),
  script(
    "gsub by a template of captures",
    `return #string.gsub(string.rep('a', 100000), '${"(a?)".repeat(30)}', string.rep('%9', 10000))`,
  ),
  script("gsub by a function", "return string.gsub(string.rep('a', 20000000), '.', tostring)"),
  script("gmatch of nothing", "for _ in string.gmatch(string.rep('a', 20000000), '') do end"),
  loop("gmatch that is never read", "t[#t + 1] = string.gmatch('a', 'a')", "local t = {}"),
  script(
    "matches one after the other",
    "for _ in string.gmatch(string.rep('a', 3000), string.rep('a-', 30) .. 'b') do end",
  ),
];

const TABLES: readonly Attack[] = [
  script("table.insert far before the first", "local t = {} table.insert(t, -1e15, 1)"),
  script("table.insert before all integers", "local t = {} table.insert(t, -1/0, 1)"),
  loop("table.insert at the front", "table.insert(t, 1, 1)", "local t = {}"),
  loop("table.insert at the end", "table.insert(t, 1)", "local t = {}"),
  loop(
    "table.remove from the front",
    "table.remove(t, 1) t[#t + 1] = 1",
    "local t = {} for i = 1, 50000 do t[i] = 1 end",
  ),
  script("table.concat at the smallest integer", "local t = { [-2^63] = 'x' } return table.concat(t, '', -2^63, 0)"),
  loop(
    "table.concat of 7 000 texts",
    "table.concat(t, 'separator')",
    "local t = { string.rep('a', 7000):byte(1, -1) }",
  ),
  script(
    "table.concat of a large text",
    "local s, t = string.rep('a', 1000000), {} for i = 1, 5000 do t[i] = s end return #table.concat(t)",
  ),
  script("unpack at the smallest integer", "return unpack({}, -2^63, -2^63)"),
  script("unpack beyond exact integers", "return unpack({}, 2^53, 2^53)"),
  loop("unpack of 7 000 values", "unpack(t)", "local t = { string.rep('a', 7000):byte(1, -1) }"),
  loop("select of 7 000 values", "select('#', unpack(t))", "local t = { string.rep('a', 7000):byte(1, -1) }"),
  loop(
    "arguments handed on",
    "f(unpack(t))",
    "local function f(...) local a = { ... } end local t = { string.rep('a', 7000):byte(1, -1) }",
  ),
  script(
    "table.sort by a lie",
    "local t = {} for i = 1, 20000 do t[i] = i % 7 end table.sort(t, function() return true end)",
  ),
  script(
    "table.sort by a function that fills",
    "local t = {} for i = 1, 3000 do t[i] = i end table.sort(t, function(a, b) t[#t + 1] = #t return a < b end)",
  ),
  loop("table.sort", "table.sort(t)", "local t = {} for i = 1, 20000 do t[i] = i end"),
  script(
    "table.sort of equal long texts",
    "local t = {} for i = 1, 1000 do t[i] = string.rep('a', 100000) .. i end table.sort(t)",
  ),
  loop("table.foreach", "table.foreach(t, type)", "local t = {} for i = 1, 20000 do t['k' .. i] = i end"),
  loop("table.foreachi", "table.foreachi(t, tostring)", "local t = {} for i = 1, 20000 do t[i] = i end"),
  loop("table.maxn", "table.maxn(t)", "local t = {} for i = 1, 20000 do t[i] = i end"),
  loop(
    "next behind a gap",
    "next(t)",
    "local t = {} for i = 1, 50000 do t[i] = i end for i = 1, 50000 do t[i] = nil end",
  ),
  loop(
    "next behind removed keys",
    "next(t)",
    "local t = {} for i = 1, 50000 do t['k' .. i] = i end for i = 1, 49999 do t['k' .. i] = nil end",
  ),
  loop("tables that are kept", "t[#t + 1] = {}", "local t = {}"),
  loop("tables that are nested", "t = { t }", "local t = {}"),
  loop("functions that are kept", "t[#t + 1] = function() return t end", "local t = {}"),
  loop("numbers that are kept", "t[#t + 1] = 0.5", "local t = {}"),
  loop("keys that are kept", "n = n + 1 t['key' .. n] = n", "local n, t = 0, {}"),
  loop(
    "integers with one hash",
    "n = t[k]",
    "local n, t, k = 0, {}, 0 for n in ARGV[1]:gmatch('%S+') do k = tonumber(n) t[k] = 1 end",
    [],
    [collidingIntegers(20 * KB).join(" ")],
  ),
  loop("fractions as keys", "n = t[0.5]", "local n, t = 0, { [0.5] = 1 }"),
  loop("addresses", "tostring({})"),
];

const CODE: readonly Attack[] = [
  script("a long body of a loop", `local n = 0 while true do ${"n = n + 1 ".repeat(20 * KB)} end`),
  script("a long condition of a loop", `while true ${"and 1 ".repeat(100 * KB)} do end`),
  script("a long expression in a loop", `local n = 0 repeat n = 1 ${"+ 1 ".repeat(3 * KB)} until false`),
  script("a long function", `local n = 0 local function f() ${"n = n + 1 ".repeat(20 * KB)} end while true do f() end`),
  script("many arguments", `local function f() end while true do f(${"1,".repeat(5 * KB)}1) end`),
  script("many values in a table", `while true do local t = { ${"1,".repeat(50 * KB)}1 } end`),
  script("many branches", `while true do if false then ${"elseif false then ".repeat(20 * KB)} end end`),
  script("many variables", `${counted(30 * KB, (n) => `local a${n} = ${n} `).join("")} return a1`),
  script(
    "many variables and many uses",
    `local ${counted(190, (n) => `a${n}`).join(",")} ${"do local b ".repeat(100)} ${"x = y ".repeat(50 * KB)}`,
  ),
  script(
    "many globals in nested functions",
    `${"return function() ".repeat(100)} ${counted(50 * KB, (n) => `g${n}() `).join("")} ${"end ".repeat(100)}`,
  ),
  script("a megabyte of statements", "do end ".repeat(150 * KB)),
  script("a megabyte of tables", `return #{ ${"{},".repeat(300 * KB)} }`),
  script("a megabyte of text", `return #"${"a".repeat(MB)}"`),
  script("a megabyte of escapes", `return #"${"\\n".repeat(500 * KB)}"`),
  script("a megabyte of brackets", `return [${"=".repeat(500 * KB)}[${`]${"=".repeat(1000)}`.repeat(500)}`),
  script("a megabyte of comments", `${"--[[x]]".repeat(150 * KB)} return 1`),
  script("a megabyte of lines", `${"\n".repeat(MB)} return nil + 1`),
  loop("loadstring of a long text", "loadstring(s)", "local s = string.rep('do end ', 20000)"),
  loop("loadstring of small texts that are kept", "t[#t + 1] = loadstring('return ' .. #t)", "local t = {}"),
  loop("loadstring of an error", "loadstring('x x')"),
  loop("an error that is caught", "pcall(error, 'x')"),
  loop("an error in another", "pcall(pcall, error, {})"),
  loop("an error with a handler", "xpcall(error, tostring)"),
  loop("an error of a pattern", "pcall(string.find, 'a', '[')"),
  loop("an error of a command", "redis.pcall('GET')"),
  loop("a command with a long name", "redis.pcall(s)", "local s = string.rep('x', 1000000)"),
  loop("a long error reply", "redis.error_reply(s)", "local s = string.rep('x', 1000000)"),
  loop("a refusal of a command", "redis.pcall('INCR', 'list')", "", [["RPUSH", "list", "a"]]),
  loop("a deep recursion", "pcall(f)", "local function f() return 1 + f() end"),
  loop("a recursion of metamethods", "pcall(tostring, t)", "local t = setmetatable({}, { __tostring = tostring })"),
  loop(
    "a chain of tables",
    "n = t.x",
    "local n, t = nil, {} for i = 1, 90 do t = setmetatable({}, { __index = t }) end",
  ),
  loop(
    "a chain of tables that are written",
    "t.x = nil",
    "local t = {} for i = 1, 90 do t = setmetatable({}, { __newindex = t }) end",
  ),
  loop(
    "comparisons of tables",
    "n = a == b",
    "local n, m = nil, { __eq = rawequal } local a, b = setmetatable({}, m), setmetatable({}, m)",
  ),
  loop("random numbers", "math.random()"),
  loop("the largest of many", "math.max(unpack(t))", "local t = { string.rep('a', 7000):byte(1, -1) }"),
  loop("bits of many", "bit.band(unpack(t))", "local t = { string.rep('a', 7000):byte(1, -1) }"),
  loop(
    "concatenation of many",
    "f(unpack(t))",
    "local function f(...) return select(7000, ...) end local t = { string.rep('a', 7000):byte(1, -1) }",
  ),
];

const JSONS: readonly Attack[] = [
  script(
    "JSON of a table in itself many times",
    "local t = { 1, 1 } for i = 1, 30 do t = { t, t } end return cjson.encode(t)",
  ),
  script("JSON of a table in itself", "local t = {} t[1] = t return cjson.encode(t)"),
  loop("JSON of a table", "cjson.encode(t)", "local t = {} for i = 1, 20000 do t[i] = i + 0.1 end"),
  loop("JSON of a text", "cjson.encode(s)", "local s = string.rep('\\1', 1000000)"),
  script(
    "JSON of a text that grows sixfold",
    "local s = string.rep('\\1', 10000000) return #cjson.encode({ s, s, s, s })",
  ),
  script("JSON of 20 MB of empty lists", "return #cjson.decode('[' .. string.rep('[],', 6000000) .. '1]')"),
  loop(
    "reading JSON of objects with other keys",
    "cjson.decode(ARGV[1])",
    "",
    [],
    [`[${counted(20 * KB, (n) => `{"k${n}":0}`).join(",")}]`],
  ),
  script("JSON of deep lists", "return cjson.decode(string.rep('[', 1000000))"),
  loop("reading JSON", "cjson.decode(s)", "local s = '[' .. string.rep('1,', 50000) .. '1]'"),
  loop("reading JSON that is none", "pcall(cjson.decode, s)", "local s = '[' .. string.rep('1,', 50000)"),
  loop("reading JSON of a long text", "cjson.decode(s)", `local s = '"' .. string.rep('\\\\u0100', 100000) .. '"'`),
];

const REPLIES: readonly Attack[] = [
  script("a reply of a table in itself many times", "local t = { 1, 1 } for i = 1, 30 do t = { t, t } end return t"),
  script(
    "a reply of a long table",
    "local t = {} for i = 1, 200000 do t[i] = i end for i = 1, 6 do t = { t, t, t, t } end return t",
  ),
  script(
    "a reply that repeats a large text",
    "local s, t = string.rep('a', 1000000), {} for i = 1, 5000 do t[i] = s end return t",
  ),
  attack("a reply that repeats a large value", [["MGET", ...counted(5 * KB, () => "large")]], [LARGE]),
  attack(
    "many replies of a large value",
    counted(5 * KB, () => "large").map((key) => ["GET", key]),
    [LARGE],
  ),
  attack(
    "many replies of a range",
    counted(5 * KB, () => "large").map((key) => ["GETRANGE", key, "1", "-1"]),
    [LARGE],
  ),
  attack(
    "many lists",
    counted(2 * KB, () => "list").map((key) => ["LRANGE", key, "0", "-1"]),
    [LIST],
  ),
  attack(
    "many unknown commands",
    counted(50 * KB, () => "NOPE").map((name) => [name]),
  ),
  attack(
    "many small scripts",
    counted(50 * KB, String).map((n) => ["EVAL", `return ${n}`, "0"]),
  ),
  attack(
    "many scripts with a fault",
    counted(50 * KB, String).map((n) => ["EVAL", `x ${n}`, "0"]),
  ),
  attack(
    "many patterns",
    counted(2 * KB, () => "*").map((star) => ["KEYS", `${star}x`]),
    [STRINGS],
  ),
];

const NAMES = ["MSET", ...counted(200, (n) => [LONG_NAME + n, "value"])];
const GLOBS: readonly Attack[] = [
  attack("KEYS by a pattern of stars", [["KEYS", STARS]], [NAMES]),
  attack("SCAN by a pattern of stars", [["SCAN", "0", "COUNT", "1000", "MATCH", STARS]], [NAMES]),
  attack("HSCAN by a pattern of stars", [["HSCAN", "h", "0", "MATCH", STARS]], [["HSET", "h", LONG_NAME, "1"]]),
  attack("SSCAN by a pattern of stars", [["SSCAN", "s", "0", "MATCH", STARS]], [["SADD", "s", LONG_NAME]]),
  attack("ZSCAN by a pattern of stars", [["ZSCAN", "z", "0", "MATCH", STARS]], [["ZADD", "z", "1", LONG_NAME]]),
  attack("KEYS by sets", [["KEYS", `${"*[a-z]".repeat(1000)}b`]], [NAMES]),
  attack("KEYS by a set of a megabyte", [["KEYS", `*[${"bc".repeat(500 * KB)}]`]], [NAMES]),
  attack(
    "KEYS by a megabyte that almost occurs",
    [["KEYS", `*${"a".repeat(500 * KB)}b`]],
    [["SET", "a".repeat(MB), "value"]],
  ),
  loop("KEYS", "redis.call('KEYS', '*x')", "", [STRINGS]),
  loop("SCAN", "redis.call('SCAN', '0')", "", [STRINGS]),
  loop("SCAN behind the last", "redis.call('SCAN', '99999999')", "", [STRINGS]),
  loop("DBSIZE", "redis.call('DBSIZE')", "", [STRINGS]),
  loop("RANDOMKEY", "redis.call('RANDOMKEY')", "", [STRINGS]),
  script(
    "SCAN for another key each time",
    "local c = '0' repeat local r = redis.call('SCAN', c) c = r[1] until false",
    [STRINGS],
  ),
];

const COLLECTIONS: readonly Attack[] = [
  loop("LPUSH", "redis.call('LPUSH', 'l', 'item')"),
  loop("LPUSH to a long list", "redis.call('LPUSH', 'list', 'item')", "", [LIST]),
  loop("RPUSH of a large text", "redis.call('RPUSH', 'l', s)", "local s = string.rep('a', 100000)"),
  loop("LPOP and RPUSH", "redis.call('RPUSH', 'list', redis.call('LPOP', 'list'))", "", [LIST]),
  loop("LRANGE", "redis.call('LRANGE', 'list', 0, -1)", "", [LIST]),
  loop("LINDEX", "redis.call('LINDEX', 'list', 50000)", "", [LIST]),
  loop("LREM", "redis.call('LREM', 'list', 0, 'none')", "", [LIST]),
  loop("LINSERT", "redis.call('LINSERT', 'list', 'BEFORE', 'item90000', 'x')", "", [LIST]),
  loop("LTRIM", "redis.call('LTRIM', 'list', 0, -1)", "", [LIST]),
  attack("LREM of a very long list", [["LREM", "list", "0", "none"]], [LIST, LIST, LIST]),
  attack("LPOP of all", [["LPOP", "list", "9000000000"]], [LIST, LIST, LIST]),
  attack(
    "RPOPLPUSH of one list",
    counted(20 * KB, () => "list").map((key) => ["RPOPLPUSH", key, key]),
    [LIST],
  ),
  attack("SRANDMEMBER of a billion", [["SRANDMEMBER", "set", "-1000000000"]], [SET]),
  attack("SRANDMEMBER of the smallest integer", [["SRANDMEMBER", "set", "-9223372036854775808"]], [SET]),
  attack("SRANDMEMBER of all", [["SRANDMEMBER", "set", "99999"]], [SET]),
  attack("SPOP of all", [["SPOP", "set", "99999"]], [SET]),
  loop("SPOP and SADD", "redis.call('SADD', 'set', redis.call('SPOP', 'set'))", "", [SET]),
  loop("SRANDMEMBER", "redis.call('SRANDMEMBER', 'set')", "", [SET]),
  loop("SMEMBERS", "redis.call('SMEMBERS', 'set')", "", [SET]),
  attack("a union of one set many times", [["SUNION", ...counted(100 * KB, () => "set")]], [SET]),
  attack("an intersection of one set many times", [["SINTER", ...counted(100 * KB, () => "set")]], [SET]),
  attack("a difference from many sets", [["SDIFF", "set", ...counted(100 * KB, () => "none")]], [SET]),
  attack("a stored union of one set many times", [["SUNIONSTORE", "to", ...counted(100 * KB, () => "set")]], [SET]),
  loop("SUNIONSTORE", "n = n + 1 redis.call('SUNIONSTORE', 'to' .. n, 'set')", "local n = 0", [SET]),
  loop("SADD", "n = n + 1 redis.call('SADD', 's', n)", "local n = 0"),
  loop("HSET", "n = n + 1 redis.call('HSET', 'h', n, n)", "local n = 0"),
  loop("HGETALL", "redis.call('HGETALL', 'hash')", "", [HASH]),
  loop("HSCAN", "redis.call('HSCAN', 'hash', '0', 'MATCH', 'x*')", "", [HASH]),
  loop("ZADD of random scores", "n = n + 1 redis.call('ZADD', 'z', math.random(), n)", "local n = 0"),
  loop("ZADD at the front", "n = n - 1 redis.call('ZADD', 'zset', n, 'm' .. n)", "local n = 0", [ZSET]),
  loop("ZRANGE", "redis.call('ZRANGE', 'zset', 0, -1)", "", [ZSET]),
  loop("ZRANGEBYLEX", "redis.call('ZRANGEBYLEX', 'zset', '[x', '[y')", "", [ZSET]),
  loop("ZLEXCOUNT", "redis.call('ZLEXCOUNT', 'zset', '-', '+')", "", [ZSET]),
  loop("ZPOPMIN and ZADD", "redis.call('ZPOPMIN', 'zset') redis.call('ZADD', 'zset', -1, 'x')", "", [ZSET]),
  attack("ZPOPMIN of all", [["ZPOPMIN", "zset", "99999"]], [ZSET]),
  attack("ZREMRANGEBYSCORE of all", [["ZREMRANGEBYSCORE", "zset", "-inf", "99998"]], [ZSET]),
  attack("ZREMRANGEBYRANK of all", [["ZREMRANGEBYRANK", "zset", "0", "-2"]], [ZSET]),
  attack("ZREM of all", [["ZREM", "zset", ...counted(MANY - 1, (n) => `item${n}`)]], [ZSET]),
  attack("ZADD of many at the front", [["ZADD", "zset", ...counted(MANY, (n) => [String(-n), `m${n}`])]], [ZSET]),
  loop("SET of other keys", "n = n + 1 redis.call('SET', 'k' .. n, n)", "local n = 0"),
  loop("SET of a large text", "n = n + 1 redis.call('SET', 'k' .. n, s)", "local n, s = 0, string.rep('a', 100000)"),
  loop("APPEND", "redis.call('APPEND', 'k', 'abc')"),
  script(
    "APPEND of a text to itself",
    "redis.call('SET', 'k', 'ab') for i = 1, 60 do redis.call('APPEND', 'k', redis.call('GET', 'k')) end",
  ),
  attack(
    "SETRANGE of half a gigabyte",
    counted(50, (n) => `k${n}`).map((key) => ["SETRANGE", key, "536870000", "x"]),
  ),
  loop("SETRANGE", "redis.call('SETRANGE', 'k', 100000, 'x')"),
  loop("SETRANGE of other keys", "n = n + 1 redis.call('SETRANGE', 'k' .. n, 100000, 'x')", "local n = 0"),
  loop("GETRANGE", "t[#t + 1] = redis.call('GETRANGE', 'large', 1, -2)", "local t = {}", [LARGE]),
  loop("MGET", "redis.call('MGET', unpack(t))", "local t = {} for i = 1, 7000 do t[i] = 'k' end"),
  loop("DEL of many", "redis.call('DEL', unpack(t))", "local t = {} for i = 1, 7000 do t[i] = 'k' end"),
  loop("APPEND and a look", "redis.call('APPEND', 'large', 'x') redis.call('GETRANGE', 'large', 0, 0)", "", [LARGE]),
  loop("ZLEXCOUNT of long members", "redis.call('ZLEXCOUNT', 'z', b, '+')", LONG_BOUND, [LONG_MEMBERS]),
  loop("SINTER of long members", "redis.call('SINTER', 's', 't')", "", [
    ["SADD", "s", ...LONG],
    ["SADD", "t", ...counted(100, (n) => "x".repeat(50 * KB) + n)],
  ]),
  loop("ECHO of a large text", "redis.call('ECHO', s)", "local s = string.rep('a', 1000000)"),
];

export const ATTACKS: readonly Attack[] = [
  ...[...NUMBERS, ...TEXTS, ...PATTERNS, ...TABLES, ...CODE],
  ...[...JSONS, ...REPLIES, ...GLOBS, ...COLLECTIONS],
];
