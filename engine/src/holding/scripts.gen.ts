// Generated from the headers in lua/ by tools/build-lua.ts; do not edit.
import type { Waitable } from "./waitable.ts";

/** The scripts whose refusals a server may hold. */
export const WAITABLE: readonly Waitable[] = [
  { name: "crowd-extend", shas: ["ca5879b7ddde2e2c12cd342c46a15b52cfa73be0", "6746b19be5df1c5243165123763c214b8f9a9c0a", "04dd5de0b3a86e6596e795cce1cde224240662a4"], refusal: "extended", allKeys: false, notAfter: 0, id: 1, until: 2, all: ["lost"], zero: 3 },
  { name: "fair-acquire", shas: ["0f3126a9673c0c3526542e5ccd0ceaa7b7dc3322", "a32678097a1339176e5e9d6fbf10f154548863fb", "cb0ff8a083082f9661c9d825a4fb1a0dc989e6b8"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 7, ticket: 7, ticketArg: 6, joins: 4 },
  { name: "group-acquire", shas: ["ca5a475615c90afe26ee796e692fa2c00a38f1df", "1a14d4a4cc8dcc193f807b24411f8b6ed0c55e35", "f232b3ea092ea36779b912ac57e0d94b81e1545f"], refusal: "held", allKeys: true, notAfter: 0, id: 1, until: 2, waited: 7, joins: 4 },
  { name: "latch-wait", shas: ["696851b1c63e4e9b99dc2d75ba959820df034782", "f16ceb5ec410b23666e50b54a8374048fc52e238", "20a02791afdcad8a8bcf5299d3d9a62d752dff9e"], refusal: "counting", allKeys: false, notAfter: 0, id: 1, until: 3, class: 2, carries: 2, carriesArg: 2, all: ["open", "lost"] },
  { name: "lock-acquire", shas: ["6ac0b57e2b9894e4e289d59837a4958ea4a317d7", "daab9b87c2a7cd85c216b01cb6b3ccae35414ee4", "817faa536965d51850d68e3178d1c71e3fa55764"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, waited: 7, clock: 8, joins: 4 },
  { name: "once-begin", shas: ["dc6badc83fd38bf0431bfaa8f84e6bcbc5115f4d", "5cb99cc3fa590e88cb542e8715aa5ee914f62283", "e5ce15e048d952c4051bf1df32c4cd62bacf82ca"], refusal: "running", allKeys: false, notAfter: 0, id: 1, until: 2, seen: 7, all: ["done"] },
  { name: "rw-acquire", shas: ["9c73cb472a642e18aad337e5a1c2a50c73c4efd3", "bac8798a3265741802d401adf31c6df784a571b6", "eb25b5751fbb1a36e2ea89455461b3f0149a7ca8"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 4, graceMs: 1000, class: 4, many: "read" },
  { name: "semaphore-acquire", shas: ["2de4769898b033fa9eeb119a6792ffbf4bb2a85f", "81a1365632187c13cd2a60e25cb0aa6392f6e1bd", "b98b6276cbf07aadf3ae59977c15d984e2ee64da"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, waited: 7, class: 1, classIsCount: true, many: "permits" },
  { name: "semaphore-queue", shas: ["739c56eb00b683126e3bbf79ba91a0436eca9df6", "1b22afd13bc5c7363b338d52851706eb18e87f2d", "64085bea58e5109cd4d0b53e7d6af5eb6441d618"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 7, ticket: 7, ticketArg: 6, many: "permits" },
];

/** SHA-1s of the other scripts that free nothing anybody waits for: they extend, read, or write a fence. */
export const KEEPING: readonly string[] = [
  "ca5879b7ddde2e2c12cd342c46a15b52cfa73be0",
  "6746b19be5df1c5243165123763c214b8f9a9c0a",
  "04dd5de0b3a86e6596e795cce1cde224240662a4",
  "16296a6c30a15bb86cf0b1087cf93ddb566bf322",
  "88f83440801b3cbf5365624079b075a55b8cc023",
  "36f548587b4a0042efc5158cb4670be215bfd642",
  "1f9c9a3254312f71f40f6a8c58fbf03687b4aa47",
  "0b9bba6a1aa74f2e8339353ed22941149fe9b630",
  "1912260b7cc57653cd125ef1c2081e2d637e5f34",
  "e093da71d1185190b3d1c1256b090640f174ab1d",
  "46b87fc63cf358da54d4a64360d0687dc156c8ef",
  "b9c132bd89e23aa59ad22c3d3333f129efe82dc0",
  "666734f2560a480a1a3e2f6d82dbb8c0e27afeae",
  "f01c4c2e5cc89ce5aae460875adb4a0c0bc8ef91",
  "d4ce5858b099c27e1f86bd78f9379b1ed973b520",
  "27cf07d50fdd09d5006365a53cb8843eef727ce1",
  "bca76173a403dd69c14efa9b78b9115492c1fbb2",
  "ccdcb87de50afb0d3aa37916773837acc2830b41",
  "4cf52a946c7018be5a00e4453e4621f9e6e51abb",
  "a484f4ad1552f6a1ccbff9586ef6e4793fbaca30",
  "0a24bbfdf7deace0ead837e75f53ef92eee32eb5",
  "8427721207740837ac0120e16528accee2f7a6c4",
  "c5fdd1a6d90d51e0fb38d45790b94eeb2bd6eaaf",
  "8e6b5dcecd867cb1a6628da6374dde7cb96ae303",
  "88562d7f63e8c1c9cce8fa7a002d26a0c11957ad",
  "f024e9439aeeccca040d774d1f392af6443e5893",
  "cc6c2b89d27059d0cd8210b9265084bf191c906e",
  "dbc6f621e6d7418afc3ea7792318b9211daaf473",
  "309d9d64ae784881c168277c42088a7e1864374e",
  "25b3834b4f30974346f5858f0f660bd74084e45c",
  "2e986cf0139fdd7763d4bad8cc10a7c72bbfba75",
  "43485472379f5489a7431e074cef4e485f39acc8",
  "ea6362fe44475227884ea5446d954be9b83ff028",
];
