// Generated from the headers in lua/ by tools/build-lua.ts; do not edit.
import type { Waitable } from "./waitable.ts";

/** The scripts whose refusals a server may hold. */
export const WAITABLE: readonly Waitable[] = [
  { name: "fair-acquire", shas: ["ae6c447ce0af3068383d180e0836ede6ceb7cffa", "c7b704407b4453844aa9d9f47a204cb1c78a52c5", "938e867248c26a08aaedc2e28926410a4323d253"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 8, ticket: 7, ticketArg: 7, joins: 4 },
  { name: "group-acquire", shas: ["352561ff7fd4cfbff28caedbac51e79ceb3d596a", "5ef733d7981d2b1095275013fef9559f7a4dfce4", "a55b72c9ba0cde5a5add61e4c9bb959eaa9cda6e"], refusal: "held", allKeys: true, notAfter: 0, id: 1, until: 2, waited: 7, joins: 4 },
  { name: "lock-acquire", shas: ["990f67ebbbc3be9247dad8b5ac4e121c5bf5f6fc", "7fc6480ba5d05c02d36d999a6483fd98bbfc0325", "fb0f21d3b254b329648554a7470bb2ae97a9a2c4"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, waited: 7, clock: 8, joins: 4 },
  { name: "once-begin", shas: ["4a15f748d6dca24be2faafbfc7db0e33fd0b7cfa", "8f9a02bb955ce8af0fc5b0e0208aefa485894188", "7da80f52e57494bdb1b59b332712a60afad518fd"], refusal: "running", allKeys: false, notAfter: 0, id: 1, until: 2, seen: 7, all: ["done"] },
  { name: "rw-acquire", shas: ["ebbd7985d612a4dbb27c8bc09d70005d81e5b0b5", "74c901b5342c58d551fa8fc4c231eda72e2a6726", "14848075c73f29e928f9296307af1e08ff24f0db"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 4, graceMs: 1000, class: 4, many: "read" },
  { name: "semaphore-acquire", shas: ["554083fb5fae8dedb99144b8571abec60b7f8d33", "67a30e35459ff10516aa982c22f284816d8aa8ed", "6bec0340d40876b14b8b8aeceeb3f9e66fc7f1d8"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, waited: 7, class: 1, classIsCount: true, many: "permits" },
  { name: "semaphore-queue", shas: ["1ab2d5478c4bd729fbd260c165e876ed32bd3654", "1c650c64c191bf860f9e9fc0a5316497659bfd7e", "a050037b1c86afea684b3bae95d65288640b03e5"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 7, ticket: 7, ticketArg: 6, many: "permits" },
];

/** SHA-1s of the other scripts that free nothing anybody waits for: they extend, read, or write a fence. */
export const KEEPING: readonly string[] = [
  "63ea82fffab0986d73a93551ad13154187d5c6cb",
  "f8ebee2e757b6717f92c2d3f5df4a6df5da5a5e4",
  "4f926dd48a238ce4cb6d70db3aa6d24eb26177c6",
  "f7034b0dac1990e9ed625303b83cae73746c26ee",
  "d46ad0068683b61faf769b2143cc14946c730504",
  "e9a33c20d19131bf0dad04f3a50c586413a1c941",
  "042efc751fba5f70905e027791e6938d87b898ec",
  "c9c2e4fc0430a4f2348b77107bca12e449e8ee01",
  "092b9658c75a07f130ee8091fa0aa30b98e9e86d",
  "4e87c81deb2708499d93d4a92fed18523cbd34aa",
  "cccd131481552adb0d571b4f157ddb1d5387d9f4",
  "a9b6efdccf4edbadffdcd6a3793c2134d11d1eee",
  "25608f2772b2929fc841842f02b2044304400812",
  "09edc3b73413e264adecb295732b5e4e521663f6",
  "39b5d08bb9e8b15521dc290a69bdd964fa2e9e30",
  "472dd738b58b29fc83c87a0e652399ab9bfb0bc4",
  "1368a9a42dae135af563e5dabe976389daf23f51",
  "1c98a52b8069038fad1304c67da17a5d7480ca1f",
  "af5fce1a284fb8345e07f70fad93d0f590690464",
  "b31a87d58aa7a0a1731a13b34e451202b3a8afef",
  "9004a949bbc9140c3dbc8bfa62ad39f5e75564a4",
  "036a608fc2f50216258e1e8ac93469721ccbf23b",
  "5a51709473c7aa5ad5a5ac5ef61533d194227630",
  "35cd10dde67889ef2cfa29891a8700b20598a25d",
  "5d4e10d8c9aed5b1f9f11e363f003d39fb00daed",
  "3df44873b1eb36b297ae5ca2653f6e4c174a5ced",
  "1de4eaabf51a9e2f0f556853f7c19f9909a2a53a",
  "0b05305415d37f1c3e7a3b3416f689ee10396dab",
  "45a28be16d2712a8ab541c5d088d8819c9ad8876",
  "7153e1c15e62bb923b80cfe772511aab989fcc8f",
  "e84fe59a52ac86281c03fce0bf62bf6874193199",
  "5a0da66cc576ccb6bbfbbd80a37282c9ef126505",
  "a799575227550e63f1ea1e5efaef9843e9ab414d",
];
