// Generated from the headers in lua/ by tools/build-lua.ts; do not edit.
import type { Waitable } from "./waitable.ts";

/** The scripts whose refusals a server may hold. */
export const WAITABLE: readonly Waitable[] = [
  { name: "fair-acquire", shas: ["d5cdc9b12077f5c7c7f526a0ec8d4168acf9184b", "28664c15cba9386b47166cf0a31d5dc77674a5f4", "571fc729ace04c5433a4163574d5a73489ef1431"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 8, ticket: 7, ticketArg: 7, joins: 4 },
  { name: "group-acquire", shas: ["f4e381451a3ab35925bc216c390c4e30bb1dfdba", "a42dce09d35e088e1ce27676a4c0ab1471f38752", "0d58fb3cfbb22a1d93c5390beb919f2d0c514c45"], refusal: "held", allKeys: true, notAfter: 0, id: 1, until: 2, waited: 7, joins: 4 },
  { name: "lock-acquire", shas: ["5d2f3a44eb04b58ce654c59fd0c90161f0fbdf12", "6609ef6c7c3fa9d3e7f91655bdf3359ba69f4756", "881587f441266017b0e51cadd05a0f5de2cd398b"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, waited: 7, clock: 8, joins: 4 },
  { name: "once-begin", shas: ["d6fdf3bb7ad7b428c3c3e68fb3d24c8abd3bbb64", "b294115f84db391600e9d6b3a1ec187074bede63", "8a232f0c0090980730ee7ef2973f796ac8ab8381"], refusal: "running", allKeys: false, notAfter: 0, id: 1, until: 2, seen: 7, all: ["done"] },
  { name: "rw-acquire", shas: ["055666c924bf23467d57acf9e066200f9dd2e1b1", "38b78b32430b5dadb47149bbf299e1b3ab265fef", "273909b2175f60f771fea1eafa1146fb58278d22"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 4, graceMs: 1000, class: 4, many: "read" },
  { name: "semaphore-acquire", shas: ["63f846b7e1e4b9e3e7e531442827ed6ca362e546", "05d23fd6c868858799719f0d311c9336ac355a2a", "b69aa848e9678b99a8dfa2761b40d284d73796e7"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, waited: 7, class: 1, classIsCount: true, many: "permits" },
  { name: "semaphore-queue", shas: ["e47c27a3616a881fe92c0174152fee61d391f6e7", "eac3829dafb7268dfdbe98dd774a46339bfc1489", "5bd09a1eccc0f84626bccfb5e52333d0ee7abc5d"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 7, ticket: 7, ticketArg: 6, many: "permits" },
];

/** SHA-1s of the other scripts that free nothing anybody waits for: they extend, read, or write a fence. */
export const KEEPING: readonly string[] = [
  "9bac6f2e5125079557d6d0a4fcb3e536cc0f0c61",
  "57c0ad28e6bd68795776d46840f8c32d90cacee4",
  "864f74df3a55e41802b29590e9f96a20ceb3a3db",
  "d8fe9702b12998fb2665fb44cd12f39032fb7320",
  "ea0497449f05d2f859646eb45e7272a98fe3e6eb",
  "557182e4c7844a2f3faaa0c98ff5c26a455ee0de",
  "c3b811278ecb408b55811a6af008f522974684ae",
  "53b646c1ff1c0d8f054f66d379b35b2793c57126",
  "a3cfcf234323d95f9f043bf2c99cb2f097c0cebb",
  "b1b8ae43874e0eef4822f82cff524a18502933fb",
  "926b7029ea78423d557fcc59fadf118bcba1e83a",
  "66df182a58a29038d753bd9d49d8cdff4840e297",
  "8eda672501a344358f8eef296735dc1f41ae8ef8",
  "42eab5e848b1106a63f9b2a84a44a1365689f589",
  "11b4044ef85d31c021019442b4c7f4032a5013e6",
  "0bf574c8a42be1a349ce6b8d7c4d0bc5cbfd70c3",
  "d1a0b14703eff188d78753a17bc51b1c56d21088",
  "4ed8d8bf722ce82bd7497f3d462c5a2e145ceb2f",
  "eae786af366197e34f323c3e11842e33be96ab5a",
  "abc9104adf158f187b1edeec71e12ff5dd74d85d",
  "0e6d4f12051c941fe0194aedff11b5770e28ef78",
  "33c9a546ef91e632db2e136260dafff15b9f671c",
  "34a433bad75f819bd85d0a389029dbd0c4e25a78",
  "b5f2df2b9efecdd4f6c596503e2d31ffb5c6b5b3",
  "e371b78a5ee4acd6573abe16554a3625dc1b7936",
  "97c22a14825dab430865325c0efa037c0e859e63",
  "3857379725de52dd074e940669f86f9d6bef33ab",
  "4f78e8f1205509382e8b240aa047c0b8e582d140",
  "2a7195d3993d7d2d97769a2b445c5361b5fabd8c",
  "ee6a6bbbf366f00a9e324e85b63ae967af9d3bd0",
  "cb705dd928c60d8731abd2849b5e342be11b1f8f",
  "226edaadbf27fe6588511984c59a83566da0bd13",
  "b0a74c380440fbd47d19cc51ece001b6f9abeeb8",
];
