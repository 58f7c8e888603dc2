/** `leasehold-engine/holding`: a server that holds requests instead of refusing them. */
export { type Ending, GRANTED, type Held, type HoldRequest, OFFERED, UNSENT } from "./entry.ts";
export { mayFree, waitableCall, waitableOf } from "./own-scripts.ts";
export { type HoldHeaders, holdHeaders, waitOf } from "./prefer-header.ts";
export type { RoomEvent } from "./room.ts";
export { answerFromRoom, isForRoom, ROOM_COMMANDS, type RoomAnswer } from "./room-commands.ts";
export type { Waitable, WaitableCall } from "./waitable.ts";
export type { AwaitedKey, Waiter, Waiters } from "./waiters.ts";
export { createWaitingRoom, type WaitingRoom, type WaitingRoomOptions } from "./waiting-room.ts";
