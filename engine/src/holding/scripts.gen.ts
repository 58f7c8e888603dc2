// Generated from the headers in lua/ by tools/build-lua.ts; do not edit.
import type { Waitable } from "./waitable.ts";

/** The scripts whose refusals a server may hold. */
export const WAITABLE: readonly Waitable[] = [
  { name: "crowd-extend", shas: ["57691ab8995fd7d3a455800c2f7a6174e622a68a", "1a8a0cda58657658d82ad76d360c5cf249d67eee", "451b1622c0a6de79bd9ee1a671e1130e15e83368"], refusal: "extended", allKeys: false, notAfter: 0, id: 1, until: 2, all: ["lost"], zero: 3 },
  { name: "fair-acquire", shas: ["cc1314562f8fadd2f3f8c8815177e66c7b7abf5d", "95dbbec3534e06a1aa9e9cda870e9549f7de1869", "1551dd287b6c607cbf7b7fc1e8b08b55eb8f10f7"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 7, ticket: 7, ticketArg: 6, joins: 4 },
  { name: "group-acquire", shas: ["3e9e8166ff9be8f2d347f11dcbbdb5ff4c5a5526", "8ca2156770873e1af16a4effb805da35e2b06657", "fcde67cd04bdd6c71cfd28851f6a755ef7515b1f"], refusal: "held", allKeys: true, notAfter: 0, id: 1, note: 5, until: 2, waited: 7, joins: 4 },
  { name: "latch-wait", shas: ["60e2d0b60220aa8125e01041644af9be71c0b89c", "602ecb349195ba2643ceee2e9bf4525292ca1624", "d797206e03d3a23f3701bf18eed1e9837c7da40f"], refusal: "counting", allKeys: false, notAfter: 0, id: 1, until: 3, class: 2, carries: 2, carriesArg: 2, all: ["open", "lost"] },
  { name: "lock-acquire", shas: ["416bd9cdde3204923d729806bc19c10efb4e4929", "6d07cc6d725a2e65fd82c1e82f85341a9d8ee32b", "687d22f88f4fc4bd6e7783c07a2cd537a8838699"], refusal: "held", allKeys: false, notAfter: 0, id: 1, note: 5, until: 2, waited: 7, clock: 8, joins: 4 },
  { name: "once-begin", shas: ["aa6c87ca1510a783c64fe013ccab11407d0136f0", "0d56af6fbcd6e8c26a703f7fde8b5d48cdc524e5", "76afd746729c6178f4055b451300cf61e353011c"], refusal: "running", allKeys: false, notAfter: 0, id: 1, note: 8, until: 2, seen: 7, all: ["done"] },
  { name: "rw-acquire", shas: ["f4daaf0b5942e9096cc9f2bd56a76f96f2d44322", "e54d7aec9fddb96546333a7913c26252818258e0", "eb38c71fa35f23ba68560bedc7ced605fd4a3ef2"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 4, graceMs: 1000, class: 4, placed: 5, many: "read" },
  { name: "semaphore-acquire", shas: ["deae6a4659d92b1f3a9cfeb7f87a54f219035cbd", "07c7c9110f1c41c36081504ba89d65588b782f11", "c397fa57fa174c03f362bb7cdf8eca6d08261720"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, waited: 7, class: 1, classIsCount: true, many: "permits" },
  { name: "semaphore-queue", shas: ["9b9bb6128f9757044b53dd109f5651f3c898fea8", "a569c05b9f25d993b5268d75689577e5f1ea1bef", "f59042eaebad70e93364d29037fa0bf586364791"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 7, ticket: 7, ticketArg: 6, many: "permits" },
];

/** SHA-1s of the other scripts that free no name: they extend, read, or write a fence. */
export const KEEPING: readonly string[] = [
  "57691ab8995fd7d3a455800c2f7a6174e622a68a",
  "1a8a0cda58657658d82ad76d360c5cf249d67eee",
  "451b1622c0a6de79bd9ee1a671e1130e15e83368",
  "4a8be485d078188cb5fcea2af1a2104da5ced702",
  "99b6506a0de14886324b38580f2396ce095bd006",
  "c5ee8bff7cacff6dcc815bce43fc72150daf3c91",
  "47cfb80f12af8134ca53ba2c775ad6866aa5e152",
  "c244cb0953128bfbf5a8a2096dcc2bf0dcd17889",
  "fe866290f2b1741daeddd057ffb913717e5e5511",
  "73e0f6cf302e38c7be747d27c6b41aa44f797f7c",
  "c5cf9eb731cf64dd0041cc4575b729da0721e4ea",
  "b2f54ee6c8779e328ef8ae06b3592fff7df2fb7e",
  "a5d83ea1e4a252a626a19b9d60dffb020c019a6a",
  "0d1bcf40e66f461b52f1a0ad28a8654d5f96f96f",
  "fa22ecc35136af82f1a3c85536b40ecb9557e73e",
  "794bd5c2017562b4a03b2e2e8db8ace290a8b34a",
  "6031cd6b6b832d8fb208e1cedef03133da104652",
  "a6c9278d6f61450b4b8d63623586a900cf2abfc6",
  "1b026a0e6b697f93f01080b659c843bc5af766ea",
  "6cc1aee440eff0155b70a167fe2091fc32ce36b6",
  "28c68b6eff2d2005724b401b285a7e3fca56f266",
  "0a783cae962bbeedb707be84b4e3e6cc0069950f",
  "1abd1ce6ebda08866657772fab74b0782ac53540",
  "8c4d28e4259095eb4b175c7e9b68f3dd8377996a",
  "ce818d1875e2f5fa5ee371cbc08c7f6cbacac70c",
  "d26274d91485d8ff5fceb2c843f185f9af418488",
  "e7afaca0ea95140e3c61889170f8ea9df46f69d4",
  "0dc8a96d1b4b9e49eca83638977638dc9f7d7eec",
  "661497dc60760c19e7be27efbe0a1eddb8156bf6",
  "df86a13b3a30df731f4137168e7b32852ed6bea6",
  "0c19935c5334de3846266010fba7cd50fdbc45e3",
  "64a2c69c9b791673b6479635f1ee6b840b4aa0be",
  "31d3693d75a24c8b230a32fae13300c0894f55ff",
];
