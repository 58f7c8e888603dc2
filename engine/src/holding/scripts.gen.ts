// Generated from the headers in lua/ by tools/build-lua.ts; do not edit.
import type { Waitable } from "./waitable.ts";

/** The scripts whose refusals a server may hold. */
export const WAITABLE: readonly Waitable[] = [
  { name: "crowd-extend", shas: ["d4a938e0eb38814c110843808d643abd4e20c864", "d79df7257feb957857e5e6a965b7cdb49a7fa555", "b6a103bd3ff18138b182fa32fc69049d5a29ce76"], refusal: "extended", allKeys: false, notAfter: 0, id: 1, until: 2, all: ["lost"], zero: 3 },
  { name: "fair-acquire", shas: ["15e11c8edd3babe925235520106a68903e6ceb3d", "4320f743dcab76706bb60d3fa24182d28fcede8f", "0d7f6bdb5e327da1383d69fdb8af814fbad5dc7f"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 7, ticket: 7, ticketArg: 6, joins: 4 },
  { name: "group-acquire", shas: ["121d5de555266b312bd29c078733adb1fd5299e3", "eb2fac65ace87ab35e47efe017caf68263245ac4", "ebf5dfdd13cb0b9511007b65764c39de870866f7"], refusal: "held", allKeys: true, notAfter: 0, id: 1, note: 5, until: 2, waited: 7, joins: 4 },
  { name: "latch-wait", shas: ["2802c10587e1554e10c46cd5cf118de8fa6ff6d1", "7391d2e9b6e82f353bd2c81f4b1271ede414c7bb", "ad04986df4a04374acf0b6574ebc150291f5523c"], refusal: "counting", allKeys: false, notAfter: 0, id: 1, until: 3, class: 2, carries: 2, carriesArg: 2, all: ["open", "lost"] },
  { name: "lock-acquire", shas: ["e32ae27e326c63e2ccc7a9a0010e5ee6b2994182", "4ae4fe1ca0b6f5cebb263b9afbc2bc73a42e5a14", "f88f8c6d81cee874b8ba16ceab32b94526de0135"], refusal: "held", allKeys: false, notAfter: 0, id: 1, note: 5, until: 2, waited: 7, clock: 8, joins: 4 },
  { name: "once-begin", shas: ["fe2c28e120f1ddf67947f4c02a908346879987d8", "a2b5db3f1afc62750e4ec1c594448350c10794ef", "0a76cac3a435b11cca8f3eecd2885e8433961955"], refusal: "running", allKeys: false, notAfter: 0, id: 1, note: 8, until: 2, seen: 7, all: ["done"] },
  { name: "rw-acquire", shas: ["c8cbf080421c044a5dab774b1244ca63fd7fe1ad", "2d7cfb3c872724c38688f3d24f11ef6cf4ed7983", "2122eed13a52d7124e7cee13ac67f19646784db7"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 4, graceMs: 1000, class: 4, placed: 5, many: "read" },
  { name: "semaphore-acquire", shas: ["696e15a2bfc8dcc8307d2373ddee4bbbe5581c12", "d88c9d9941bf3a9c63fe176a0e68b78473ad272e", "2185af633e5fd623d9e3e40c986bb48a0307b1dd"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, waited: 7, class: 1, classIsCount: true, many: "permits" },
  { name: "semaphore-queue", shas: ["faa29510e8a19576c21b2ee36280a2c91c114203", "a8ff1273a17f7884807ce103bd09f5b6c0bba7d0", "7f00b5ada67e23834915b07891ea39c9616587cb"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 7, ticket: 7, ticketArg: 6, many: "permits" },
];

/** SHA-1s of the other scripts that free no name: they extend, read, or write a fence. */
export const KEEPING: readonly string[] = [
  "d4a938e0eb38814c110843808d643abd4e20c864",
  "d79df7257feb957857e5e6a965b7cdb49a7fa555",
  "b6a103bd3ff18138b182fa32fc69049d5a29ce76",
  "e0d15bd233c4b7694c1c3ff2f145a64e425e48a0",
  "bb446189cd5602c5287548443d13f1c97069fc54",
  "64104bef783632eb68897555c1e012f018ce15d7",
  "1a9780219229daefc951fb2a5fa4e9f5ceab8389",
  "44911e9c67a0bba064d8f1293c1b56d63f0de62f",
  "7880ede807e9215447c8c5ff4274f64093404f2d",
  "b9c10354f03777d0953a52dd8b75f6b5c2e3030f",
  "f280e115c314a37b291293fd1eaa87211d1cd58a",
  "2c64eb0a3a384b579707ec8ad6d0594eba2e07e8",
  "2c776c4f4798bacd909f43309b513f97faa5e41f",
  "946cd4e71e85d0a6cc8e59968ae4869759580367",
  "39471808e54841a7f6aeb19053d13fc7c1257866",
  "a4155210c040943610ceb011a0c010d84df01978",
  "05f73ac3a1510e15ed75e75d6a8bab58aeb98634",
  "9515ab5c1117810bc7f2549e3164caf7ab4bc16a",
  "af3b7c088d4e512ed9724d3572b9b82536dee704",
  "4aceb1c3165563bcb898a788a00c5a9446e21c2e",
  "0ebede072f6b699314722359b6741cf1ea4aa8cf",
  "b65dcaa3c376257dea5281edc416a793cda2ac52",
  "7612cab238b481b04ddef53888197f7b21f9957f",
  "d1735d52ebfe5338ba8cd9d33c83a94fee61073d",
  "1c9037a655f1d4396b96847c85dbba01a7721796",
  "ff19575f96602f541af84c8718d4a6a00747411e",
  "7aec9a803220f9789a7c418f161c68688c0d3727",
  "c05e4da49727f513f07c3bbf20bcc3b71723e91c",
  "07db30c5a00125c059fee65c282a37dbcf8d456f",
  "334e7c7f75949561474f39b56c420b9cc3481f17",
  "d9f25ccfadefa9034fbfc62cecb4ba6c6ff0f0e9",
  "a67817ddb88e682cfffc8040d9b6bd12101692a6",
  "b41440acd53534ebfaf9ed5f41e9e63e23a0f052",
];
