/** `leasehold-engine/rest`: the Upstash REST protocol over an engine. */
export { toBytes, toText } from "./bytes.ts";
export { incomingOf, responseOf } from "./fetch.ts";
export { type Answer, admit, encodingOf, failure, perform, read, tokenOf, UNAUTHORIZED } from "./protocol.ts";
export { type Encoding, jsonBytes, replyJson } from "./reply-json.ts";
export type { Commands, Understood } from "./request.ts";
export { createService, replyFromRoom, type Service } from "./service.ts";
