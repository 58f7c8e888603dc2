/** `leasehold-engine/rest`: the Upstash REST protocol, and its service over an engine. */
export {
  isCommand,
  json,
  NOT_SCALAR,
  parseCommand,
  parseCommands,
  type TextCommand,
  type What,
  wordOf,
} from "./body.ts";
export { toBytes, toText } from "./bytes.ts";
export { incomingOf, responseOf } from "./fetch-adapter.ts";
export { type Answer, admit, type Commands, failure, read, UNAUTHORIZED, type Understood } from "./message.ts";
export { type Encoding, errorJson, integerJson, jsonBytes, replyJson, resultJson } from "./reply-json.ts";
export { checkRequest, type Format, formatOf, isBodiless } from "./request.ts";
export { BadRequest, PipelineTooLong, RestError } from "./rest-error.ts";
export { createService, replyFromRoom, type Service } from "./service.ts";
export { channelsIn, subscriptionTo } from "./subscription.ts";
export { nextSyncToken } from "./sync-token.ts";
export { pathOf, type Route, routeOf, tokenOf, type WordForm, wordsInPath } from "./target.ts";
