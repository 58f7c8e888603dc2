import { type Equivalent, ofFile } from "./equivalent.ts";

/** Equivalents in TypeScript. */
export const SOURCES: readonly Equivalent[] = [
  ...ofFile("durable-object/src/waiting.ts", "A room that is woken for a key without waiters does nothing.", [
    "if (room.isWatched(key)) …",
    "{}",
  ]),
  ...ofFile(
    "engine/src/holding/entry.ts",
    "It swaps the words for waiters with and without a place, which are only compared.",
    ["isPlaced", "!(isPlaced)"],
  ),
  ...ofFile(
    "engine/src/holding/next-waiter.ts",
    "The end of a try replaces a timer that was set during it. If that timer fires before, the line is due by then.",
    ["if (line.trying) …", "{}"],
  ),
  ...ofFile("engine/src/holding/next-waiter.ts", "A request is held only with a refusal, which can always be read.", [
    "if (!read) …",
    "{}",
  ]),
  ...ofFile(
    "gateway/src/holding/holding.ts",
    "At the end, every held request is answered, so no key is left to report.",
    ["if (this.#isEnded) …", "{}"],
  ),
  ...ofFile("gateway/src/holding/holding.ts", "The try of an unreported key starts the interval again.", [
    "if (unreported.length > 0) …",
    "{}",
  ]),
  ...ofFile("gateway/src/holding/line.ts", "Without an added prefix, the list below is empty as well.", [
    "if (!isSmaller && added.length === 0) …",
    "{}",
  ]),
  ...ofFile("gateway/src/holding/line.ts", "It is pinged every 2 s then, since the answer to a ping is heard.", [
    "!isHeard",
    "!(!isHeard)",
  ]),
  ...ofFile("src/queue/handed-lock.ts", "The script acquires the lock where it would be lost.", [
    'if (answer.status === "lost") …',
    "{}",
  ]),
  ...ofFile("src/queue/handed-lock.ts", "A hold that is lost is reported as lost below as well.", [
    'if (held.status === "lost") …',
    "{}",
  ]),
  ...ofFile("src/redis/fetch.ts", "An answer has no texts to redact, and nothing reads an error of an answer.", [
    'if (outcome.type === "answered") …',
    "{}",
  ]),
  ...ofFile(
    "src/redis/streamed-wake-ups.ts",
    "A place, a name and a signal that were given back are not given again.",
    ["if (isOver) …", "{}"],
  ),
  ...ofFile("src/redis/retry-policy.ts", "Without a Retry-After, the sum below is 0 as well.", [
    "if (retryAfterMs === 0) …",
    "{}",
  ]),
  ...ofFile("gateway/src/holding/passing.ts", "A waiter that is woken too early is refused again, and waits on.", [
    'if (factsOf(command).script === "sha1" && !mayFree(script.toString())) …',
    "{}",
  ]),
  ...ofFile("gateway/src/redis/backend.ts", "Without known replies, all commands are sent below as well.", [
    "if (known.every((reply) => reply === undefined)) …",
    "{}",
  ]),
  ...ofFile(
    "gateway/src/redis/command-encoding.ts",
    "The same bytes are made below, more slowly.",
    ["if (ascii !== undefined) …", "{}"],
    ["if (commands.every(isText)) …", "{}"],
    ['typeof part !== "string"', '!(typeof part !== "string")'],
  ),
  ...ofFile("gateway/src/redis/commands.ts", "A name in any case is found by its upper case as well.", [
    'typeof name === "string"',
    '!(typeof name === "string")',
  ]),
  ...ofFile("gateway/src/redis/commands.ts", "A text of another length has a SHA-1 that is not listed.", [
    "if (!LENGTHS.has(text.length)) …",
    "{}",
  ]),
  ...ofFile(
    "gateway/src/redis/exchange.ts",
    "In the check of the deadlines: a batch that has failed does not fail again.",
    ["if (batch.hasFailed) …", "{}"],
  ),
  ...ofFile(
    "gateway/src/redis/exchange.ts",
    "In the count of memory: a reply to no batch is dropped from its first byte, so nothing is counted for it.",
    ["if (batch === undefined) …", "{}"],
  ),
  ...ofFile("gateway/src/redis/exchange.ts", "The same bytes are written in the same order.", [
    'if (typeof bytes === "string") …',
    "{ write(mark); write(bytes); }",
  ]),
  ...ofFile(
    "gateway/src/redis/reply-reader.ts",
    "The memory of a string is counted before its bytes are read, so no string is dropped while it is read.",
    ['if (state.kind === "string") …', 'if (state.kind === "line" && !isNumber(state.type)) state.parts.length = 0;'],
  ),
  ...ofFile("gateway/src/redis/reply-reader.ts", "The string is copied below, which takes longer.", [
    "if (builder.missing === 0 && end + CRLF_BYTES <= this.#bytes.length) …",
    "{}",
  ]),
  ...ofFile("gateway/src/redis/reply-reader.ts", "A search that begins at the end finds no line break either.", [
    "if (end + 1 >= bytes.length) …",
    "{}",
  ]),
  ...ofFile(
    "gateway/src/redis/cluster/slot-table.ts",
    "Commands to a node that is not ready, or after the time limit, fail with NotSent as well.",
    ["if (!node.backend.isReady) …", "{}"],
  ),
  ...ofFile(
    "gateway/src/redis/sentinel/sentinels.ts",
    "Closing ends the connections to all Sentinels, so none of them answers afterwards.",
    ["if (closed) …", "{}"],
  ),
  ...ofFile(
    "gateway/src/redis/commands.ts",
    "Without the position of a number of keys, the number below is NaN, and the result is undefined as well.",
    ['if (typeof key !== "object") …', "{}"],
    ['if (key === "none") …', "{}"],
  ),
  ...ofFile(
    "gateway/src/redis/server-backend.ts",
    "The same bytes are written in the same order, with another number of system calls.",
    ["if (++held > MAX_HELD) …", "{}"],
    ["++held > MAX_HELD", "!(++held > MAX_HELD)"],
    ["if (isDue) …", "{}"],
  ),
  ...ofFile("gateway/src/redis/server-backend.ts", "Writing an empty text sends nothing.", [
    'if (text === "") …',
    "{}",
  ]),
  ...ofFile("engine/src/rest/json-numbers.ts", "After the last digit of a number, the pattern below matches nothing.", [
    "if (next === COMMA || next === END_OF_ARRAY) …",
    "{}",
  ]),
  ...ofFile(
    "engine/src/rest/json-numbers.ts",
    "JavaScript writes such an integer unchanged, which the last condition finds out as well.",
    ["if (at === digits && !isNegative && value <= Number.MAX_SAFE_INTEGER) …", "{}"],
  ),
  ...ofFile(
    "gateway/src/rest/large-reply.ts",
    "Writing in turns continues at once until it has taken 5 ms, however often that is checked.",
    ["if (this.#text.length < PIECE_BYTES && this.#items < ITEMS_AT_ONCE) …", "{}"],
  ),
  ...ofFile(
    "gateway/src/rest/upstash-scripts.ts",
    "A reply to a command that loads no adapted script is returned unchanged below as well.",
    ["if (!commands.some((command) => loads.has(command))) …", "{}"],
  ),
  ...ofFile("gateway/src/rest/upstash-scripts.ts", "Without known scripts, the look-up below finds none.", [
    "if (this.#known.size === 0) …",
    "{}",
  ]),
  ...ofFile(
    "engine/src/rest/body.ts",
    "A number in another place is part of a value that is rejected, as a number or as a string.",
    ["if (!hasNumbers(value)) …", "{}"],
  ),
  ...ofFile("src/cron/slot.ts", "The search begins at another instant, and finds the same occurrence.", [
    "spanMs === MINUTE_MS",
    "!(spanMs === MINUTE_MS)",
  ]),
  ...ofFile(
    "src/dedupe/run-handler.ts",
    "Without a signal, storing an answer, which is always JSON, can throw only a LeaseholdError.",
    ["if (!(error instanceof LeaseholdError)) …", "{}"],
  ),
  ...ofFile("src/dedupe/senders/shopify.ts", "A list with a missing ID is refused as malformed as well.", [
    "if (id === undefined) …",
    "{}",
  ]),
  ...ofFile(
    "src/kinds/single-flight.ts",
    "A single flight waits, and has no limit of attempts and no fingerprint, so a run that returns is done.",
    ['if (ended.status !== "done") …', "{}"],
  ),
  ...ofFile("src/lease/record.ts", "Decoding a record, which is a string, can throw only a URIError.", [
    "if (!(error instanceof URIError)) …",
    "{}",
  ]),
];
