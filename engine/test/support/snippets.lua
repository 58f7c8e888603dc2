return nil
----
return 1.9
----
return -1.9
----
return 2^62
----
return 2^63
----
return 0/0
----
return {1, 2, nil, 4}
----
return {1.9, 'a', false, true, {ok = 'hi'}, {err = 'E x'}, {}}
----
return {err = 'no code'}
----
return {ok = 'two\nlines'}
----
return {1, {2, {3, {4}}}}
----
return
----
local a <const> = 1
----
return (
----
x = 1
----
function x() end
----
return nofoo
----
return nofoo.x
----
local x return x.y
----
local x = {} return x.y.z
----
local x = 1 return x()
----
local x = {} x.f()
----
local x = {} x:f()
----
local x = 'a' return x:nope()
----
local x = {} return x + 1
----
local x = {a = {}} return x.a + 1
----
return {} .. 'a'
----
local a return 'x' .. a
----
return #nil
----
local n = 5 return #n
----
return 1 < 'a'
----
return {} < {}
----
return nil > 1
----
return -{}
----
local t = {} t[nil] = 1
----
local t = {} t[0/0] = 1
----
return 'a' + 1
----
return '10' + 1
----
return '0x10' * '2'
----
return 10 .. 20
----
return 1e15 .. ''
----
return tostring(2^53) .. ' ' .. tostring(1e14) .. ' ' .. tostring(123456789012345) .. ' ' .. tostring(0.1)
----
return tostring(1/0) .. tostring(-1/0)
----
return { tostring(nil), tostring(true), tostring('x') }
----
return 7 % -3
----
return -7 % 3
----
return { 5 % 3.5, -5 % 3.5 }
----
return 2 ^ 10
----
return 2 ^ 3 ^ 2
----
return -2 ^ 2
----
return not nil == true
----
return 1 .. 2 == '12'
----
return { 1 and 2, nil and 2, false or 3, nil or false }
----
return { #'abc', #{1, 2, 3}, #{1, nil, 3}, #{n = 1} }
----
return { (function() return 1, 2, 3 end)() }
----
return { (function() return 1, 2, 3 end)(), 10 }
----
return { ((function() return 1, 2, 3 end)()) }
----
local function f(...) return select('#', ...), ... end return { f(1, nil, 3, nil) }
----
local function f(...) local a, b = ... return { a or 'none', b or 'none' } end return f(1)
----
local function f(a, b, ...) return { a or 0, b or 0, select('#', ...), ... } end return f(1, 2, 3, 4)
----
local t = {} for i = 1, 3 do t[#t + 1] = function() return i end end return { t[1](), t[2](), t[3]() }
----
local t = {} for i = 10, 1, -4 do t[#t + 1] = i end return t
----
local t = {} for i = 1, 2, 0.25 do t[#t + 1] = tostring(i) end return t
----
for i = 1, 'x' do end
----
for i = 'a', 2 do end
----
local t = {} for i = '1', '3' do t[#t + 1] = i end return t
----
for a in 5 do end
----
local i, t = 0, {} repeat local j = i i = i + 1 t[i] = j until j >= 3 return t
----
local i = 0 while true do i = i + 1 if i > 5 then break end end return i
----
local a, b = 1, 2 a, b = b, a return { a, b }
----
local t = {1, 2} local i = 1 i, t[i] = i + 1, 20 return { i, t[1], t[2] }
----
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end return fib(15)
----
local f f = function(n) if n == 0 then return 'done' end return f(n - 1) end return f(100)
----
local function f() return f() + 1 end local ok, why = pcall(f) return { tostring(ok), why:match('stack overflow') }
----
local t = { a = 1, ['b c'] = 2, [3] = 'x', 'y', 'z' } return { t.a, t['b c'], t[3], t[1], t[2] }
----
local o = { n = 1 } function o:add(by) self.n = self.n + by return self end return o:add(2):add(3).n
----
local t = setmetatable({}, { __index = function(_, k) return k .. '!' end }) return t.hello
----
local t = setmetatable({}, { __index = { x = 5 } }) return t.x
----
local log = {} local t = setmetatable({}, { __newindex = function(t, k, v) rawset(t, k, v * 2) end }) t.x = 4 return t.x
----
local V = {} V.__add = function(a, b) return 'added' end V.__concat = function() return 'joined' end V.__eq = function() return true end V.__lt = function() return true end V.__le = function() return false end V.__unm = function() return 'minus' end V.__call = function(self, a) return 'called ' .. a end V.__tostring = function() return 'shown' end local a, b = setmetatable({}, V), setmetatable({}, V) return { a + 1, 1 + a, a .. 'x', 'x' .. a, tostring(a == b), tostring(a < b), tostring(a <= b), -a, a('x'), tostring(a), tostring(a ~= b) }
----
return getmetatable('').__index == string
----
setmetatable(_G, {})
----
math.max = 1
----
string.x = 1
----
rawset(_G, 'x', 1)
----
return { pcall(error, 'plain') }
----
return { pcall(error, 'level 0', 0) }
----
return { tostring(pcall(error)) }
----
return { pcall(function() error('here') end) }
----
local function f() error('there', 2) end
local ok, why = pcall(function()
  f()
end)
return why
----
local ok, why = pcall(function() error({ code = 5 }) end) return { type(why), why.code }
----
local ok, why = pcall(function() local x = nil; return x.y end) return why
----
return select(2, pcall(redis.call, 'GET'))
----
error({ err = 'MY error' })
----
error('boo')
----
error()
----
return { xpcall(function() error('x') end, function(why) return 'handled ' .. why end) }
----
return { select(-2, 'a', 'b', 'c') }
----
return select(0)
----
return { select('#') }
----
return assert(false)
----
return assert(nil, 'because')
----
return assert(1, 2)
----
return { assert(1, 2) }
----
return unpack({ 1, 2, 3 })
----
return #{ unpack({}, 1, 7000) }
----
return #{ unpack({}, 1, 8000) }
----
return { next({}), type(next), next({ 5 }) }
----
return next({}, 'nope')
----
return { rawequal('a', 'a'), rawget({ 5 }, 1), type(rawset({}, 1, 2)) }
----
return { type(nil), type(1), type('x'), type({}), type(print) }
----
return { type(nil), type(1), type('x'), type({}), type(type) }
----
return type()
----
return { string.byte('A'), string.char(72, 105), ('x'):rep(3, ','), ('abc'):len() }
----
return string.char(256)
----
return string.rep()
----
return ('x'):rep('y')
----
return string.format('%d', 'x')
----
return string.format('%d', '12')
----
return string.format('%y', 1)
----
return string.format('%s')
----
return string.format('%s', {})
----
return string.format('%s %s', 1, 1.5)
----
return string.format('%5d|%-5d|%05d|%+d|%x|%X|%o|%c|%%', 42, 42, 42, 42, 255, 255, 8, 65)
----
return string.format('%.0f %.0f %.0f %.0f %.0f', 0.5, 1.5, 2.5, -0.5, 1e300)
----
return string.format('%.3f %.14g %g %e %.20f', 1/3, 1/3, 1e20, 12345.678, 0.1)
----
return string.format('%i %u', 3.9, 3)
----
return string.format('%q', 'a\nb\0c"d\\')
----
return { ('hello world'):find('o w'), ('hello'):find('l+'), ('hello'):find('xyz'), ('a.b'):find('.', 1, true), ('a'):find('', 10) }
----
return { ('hello'):find('(l)(l)') }
----
return { ('key = value'):match('^(%w+)%s*=%s*(%w+)$') }
----
return ('x'):gsub('x', '%2')
----
return { ('hello world'):gsub('o', '0', 1) }
----
return { ('hello'):gsub('', '-') }
----
return { ('abc'):gsub('%w', '%0%0') }
----
return { ('$name is $age'):gsub('%$(%w+)', { name = 'Bob', age = 5 }) }
----
return { ('abc'):gsub('.', function(c) if c == 'b' then return false end return c:upper() end) }
----
return ('abc'):gsub('.', function() return {} end)
----
return ('x'):gsub('x', true)
----
local t = {} for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do t[#t + 1] = k .. v end return t
----
local t = {} for w in ('one two'):gmatch('%a+') do t[#t + 1] = w end return t
----
return { ('THE (quick) fox'):find('%((%a+)%)') }
----
return ('x'):find('[a')
----
return ('x'):find('%')
----
return ('x'):find('(')
----
return ('x'):find(')')
----
local t = { 1, 2, 3 } table.insert(t, 4) table.insert(t, 1, 0) return t
----
local t = { 1, 2, 3 } return { table.remove(t), table.remove(t, 1), #t, table.remove({}) }
----
table.insert({}, 1, 2, 3)
----
table.insert(nil, 1)
----
return table.concat({ 1, 2, 'x' }, ', ', 2, 3)
----
return table.concat({ 1, {}, 3 })
----
return { table.getn({ 1, 2 }), table.maxn({ 1, [10] = 2 }) }
----
table.sort({ 3, 1, 'x' })
----
table.sort({ 1, 2, 3, 4, 5 }, function() return true end)
----
local t = { 'b', 'a', 'c' } table.sort(t) return t
----
local sum = 0 table.foreach({ 1, 2, 3 }, function(k, v) sum = sum + v end) return sum
----
return { math.floor(-1.5), math.ceil(-1.5), math.max(1, 5, 3), math.min(2, -1), math.abs(-3), math.sqrt(16), math.fmod(-7, 3), math.pow(2, 8) }
----
return { tostring(math.huge), tostring(math.pi), math.modf(3.7), select(2, math.modf(-3.25)) * 100 }
----
return math.max()
----
return math.floor('x')
----
return math.floor({})
----
return { math.floor('3.7'), math.ldexp(1, 4), (math.frexp(10)) * 1000 }
----
return { tonumber('10', 2), tonumber('zz', 36), tonumber('8', 8) or 'none', tonumber('0x1f'), tonumber('') or 'none' }
----
return tonumber()
----
return tonumber('1', 99)
----
return { loadstring('return 1 + 1')(), (loadstring('return +')) == nil }
----
return collectgarbage('count') >= 0
----
return redis.call('GET')
----
return redis.call('NOPE')
----
return redis.call()
----
return redis.call('GET', {})
----
return redis.call('GET', true)
----
return redis.pcall()
----
return redis.pcall('NOPE')
----
return redis.pcall('GET')
----
return redis.call('EVAL', 'return 1', 0)
----
return redis.call('set', 'k', 1.5)
----
redis.call('SET', 'f', 0.1) return redis.call('GET', 'f')
----
redis.call('SET', 'f', 1e20) return redis.call('GET', 'f')
----
redis.call('SET', 'f', 2^53 + 1) return redis.call('GET', 'f')
----
redis.call('DEL', 'k') return { redis.call('GET', 'k'), redis.call('INCR', 'k'), redis.call('MGET', 'k', 'nope') }
----
redis.call('DEL', 'l') redis.call('LPUSH', 'l', 'x') return redis.call('GET', 'l')
----
redis.call('DEL', 'l') redis.call('LPUSH', 'l', 'x') return redis.pcall('GET', 'l')
----
redis.call('DEL', 'l') redis.call('LPUSH', 'l', 'x') local e = redis.pcall('GET', 'l') return e.err
----
redis.call('DEL', 'l') redis.call('LPUSH', 'l', 'x') local ok, e = pcall(redis.call, 'GET', 'l') return { tostring(ok), type(e), e }
----
redis.call('DEL', 'l')
redis.call('LPUSH', 'l', 'x')
local reply = redis.call('GET', 'l')
return reply
----
return redis.status_reply('FINE')
----
return redis.error_reply('boo')
----
return redis.error_reply('FOO boo')
----
return redis.error_reply('-FOO boo')
----
return redis.error_reply(1, 2)
----
return redis.status_reply()
----
return redis.sha1hex('')
----
return redis.sha1hex('The quick brown fox jumps over the lazy dog')
----
return redis.sha1hex()
----
redis.log(redis.LOG_NOTICE, 'x') return 1
----
redis.setresp(2) return { redis.REDIS_VERSION ~= nil, redis.replicate_commands() }
----
return KEYS[1]
----
return { #KEYS, #ARGV }
----
KEYS[1] = 'x' return KEYS
----
KEYS = {}
----
redis.x = 1
----
return cjson.encode({ 1, 2, 3 })
----
return cjson.encode({ a = 1 })
----
return cjson.encode({})
----
return cjson.encode({ [5] = 1 })
----
return cjson.encode({ 'a', 1.5, true, cjson.null, 1e20 })
----
return cjson.encode({ [1000] = 1 })
----
return cjson.encode(type)
----
return cjson.encode(1/0)
----
local t = cjson.decode('{"a":[1,2,{"b":null}],"c":"\\u00e9\\n"}') return { t.a[1], t.a[2], tostring(t.a[3].b == cjson.null), t.c }
----
#!lua
return 1
----
#!lua flags=no-writes
return redis.call('SET', 'a', 1)
----
#!lua flags=nope
return 1
----
#!lua nope=1
return 1
----
#!js
return 1
----
#!lua
----
-- A comment
--[[ and
a long one ]]
return [[
text]]
----
return "\65\066\n\\\'\"\z"
----
return 0xff + 1e2 + .5 + 3.
----
local function f() return 1 end return f {} + f 'x' + f [[x]]
----
do local x = 1 end return type(x)
----
goto done
----
return 5 // 2
----
return 1 & 2
----
local s = 0 for _, v in ipairs({ 1, 2, nil, 4 }) do s = s + v end return s
----
local a = {} for i = 1, 100 do a[i] = i end for i = 100, 11, -1 do a[i] = nil end return #a
----
return string.gsub('hello', 'l', { l = 'L' })
----
return #string.format('%99d', 1)
----
return string.format('%100d', 1)
----
return ('%5s|%-5s|'):format('ab', 'cd')
