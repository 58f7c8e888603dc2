// Generated from the headers in lua/ by tools/build-lua.ts; do not edit.
import type { Waitable } from "./waitable.ts";

/** The scripts whose refusals a server may hold. */
export const WAITABLE: readonly Waitable[] = [
  { name: "crowd-extend", shas: ["451b0e59d124208c01b2852b3c49acc72c31438a", "8e927241e2422c7b90c344c6971b60eb314874bb", "120a5a5ce5fadbbde1608f5686becb9433d793e3"], refusal: "extended", allKeys: false, notAfter: 0, id: 1, until: 2, all: ["lost"], zero: 3 },
  { name: "fair-acquire", shas: ["ddeeb13993f8579b251a4b1bb3199dcce858357f", "aafc0186a26acbd6cfaa166e17fc854c0b759aaf", "7f9931dc5183a588d7e2a9fc9134edabd92d0c32"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 7, ticket: 7, ticketArg: 6, joins: 4 },
  { name: "group-acquire", shas: ["1d274bb968ea53e5ea46cb0ac9c0edf3a17e1a69", "d0a4a7db893c0b07ce40ccaef870877d0b02b3d3", "cc38ec1dbf7c76110c366e8ba4d8c0f32d865b33"], refusal: "held", allKeys: true, notAfter: 0, id: 1, note: 5, until: 2, waited: 7, joins: 4 },
  { name: "latch-wait", shas: ["bfa259fc17791f7e6a1d8f80be7f37ae2961cc1a", "28ad1aed1deae526c6b330e300651eafa24d1cfd", "8f7c879c3d20486f5ac4bec5ca25ef33bd390016"], refusal: "counting", allKeys: false, notAfter: 0, id: 1, until: 3, class: 2, carries: 2, carriesArg: 2, all: ["open", "lost"] },
  { name: "lock-acquire", shas: ["1573fa1eecd9037fa59ba05d14799973aff8a586", "4a97774234e85a6012ab8044cddd016b180d3565", "2ce0acfcb45c7928275adbceabe746cd5f48fa04"], refusal: "held", allKeys: false, notAfter: 0, id: 1, note: 5, until: 2, waited: 7, clock: 8, joins: 4 },
  { name: "once-begin", shas: ["8f2f49e89bc2abbea41bccc715590437e7f26199", "d40675725d001cbcc485237f582664d10659d7c4", "e6c6cbb8fcd8f7e0dbdb60df6fbb78348249de4d"], refusal: "running", allKeys: false, notAfter: 0, id: 1, note: 8, until: 2, seen: 7, all: ["done"] },
  { name: "rw-acquire", shas: ["5bf115ff6c5d74cbe2c960fdf14156146ce29a5a", "edbd7cabbffe47b6a321c6147251c083d31e32c8", "b5ee98e0c7fc3e302959124087e6618245a46c51"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 4, graceMs: 1000, class: 4, placed: 5, many: "read" },
  { name: "semaphore-acquire", shas: ["296d1380c91bc8573a5f70bdf080422d8266faf8", "1197070c9b2a8634a38d5f799f061c0748b27b51", "1a055d6101e4576855fee011b83263eab18ec608"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, waited: 7, class: 1, classIsCount: true, many: "permits" },
  { name: "semaphore-queue", shas: ["80ddd34632dc0f5f5e4c21871b5b44ef11ea847f", "50e7e4cb506a1fb7aaa2772d2bab3fd2a4d72502", "51ae63a7e6115c01bb2f78cc8b04f83ba4b8f7e4"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 7, ticket: 7, ticketArg: 6, many: "permits" },
];

/** SHA-1s of the other scripts that free no name: they extend, read, or write a fence. */
export const KEEPING: readonly string[] = [
  "451b0e59d124208c01b2852b3c49acc72c31438a",
  "8e927241e2422c7b90c344c6971b60eb314874bb",
  "120a5a5ce5fadbbde1608f5686becb9433d793e3",
  "2654f71f43b25fbbe3d4ff8ac6832467baa4b6e8",
  "3d65e120af3a51a2ec7217267896247f99fea4ff",
  "47c032b8b6a970cca79cb340f49ca62830fbcb86",
  "7108b34e90ff60970297192f5a2d79020e2b4c40",
  "28a98cf3bde2bcb6d0cac9876abde09d63b119b1",
  "05b28e19ce48f22674a2b8f4ea756f4d20fce02c",
  "852e0ce5ebcc6943b563d7b1d44a66fa3d24d03c",
  "8e06055162b011ffbaaa2b18c93f4afae8344707",
  "2f1ac75b9cd3b6c648b8d6dd95b3d446216e5873",
  "aae8eb1874ef3f151b57f8922cedb1c2d44ebc01",
  "d722a22c5d272fb38b936215cf98d254b6245add",
  "9a5068176d473947ab376c13630c0ce1725eb210",
  "b39988f1a279c6e90b03d1f112c997ac2bb7f7b5",
  "9a43361e0b0318698c9258199c7ece0aa6e65b4d",
  "c76521cf008a6522a07e27325699bba8a2753a29",
  "009e5d12219662d3347724117531ec77dc00285b",
  "86e615bd760ea46657d9c0fc726378dd7b735694",
  "bd5f613a6ff6a6c2f41aabe82eb10232a6040df1",
  "c5655a65975115865fbf2943929df5a7ed948b7e",
  "9357aa3be2cbbfa4ea3059fb6161c3215e8836ed",
  "f4fb251afe4e09df6756ceada17253db66a3e092",
  "dddfcfcaa6e1a33f851d501c4545b24258975b30",
  "666bdcb0a86588a92837bc0d0352150b938ef05a",
  "3155b9fa648756628e76cb5d979c20aa608a44e1",
  "733862e5c671c9f8dd72ea98263c6a3c8cebc3eb",
  "733da6683982f6933ec05c407cb8ed6d1bf4a1eb",
  "ada8ef81ceb258e5a2323a6038f2033246b09cd5",
  "823810bc45df2a6994ee89742132789152e061a8",
  "4c1491f9f7792d6f80d31af555244d27cb8e7b64",
  "8e665f92e091cdbdfcccbd9052bda7630125dd5e",
];
