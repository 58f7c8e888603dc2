// Generated from the headers in lua/ by tools/build-lua.ts; do not edit.
import type { Waitable } from "./waitable.ts";

/** The scripts whose refusals a server may hold. */
export const WAITABLE: readonly Waitable[] = [
  { name: "crowd-extend", shas: ["5d709be055a123c45030371fe964919f3c832c65", "e4ca2daf72350c12d60e7416d7ce7c3869c0d358", "33340c49dc72dd5e3ddc1a8ff41c6e1b1acf4ac2"], refusal: "extended", allKeys: false, notAfter: 0, id: 1, until: 2, all: ["lost"], zero: 3 },
  { name: "fair-acquire", shas: ["75a5c4dbe27ca006d134d7b5836b67e66e67b375", "e7dad0160c8c3432932d14cccaaea8435d6d30a6", "983e6aea810ecb5a98544a2f959959078060c497"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 7, ticket: 7, ticketArg: 6, joins: 4 },
  { name: "group-acquire", shas: ["955b49e70d2dad37e8e00baef1937a2cd00b7d1b", "23e38f42b3afe483a98358ccf61bad8a8f8ad719", "14b62a91af140725c73ba825b9ea3e3549107dd9"], refusal: "held", allKeys: true, notAfter: 0, id: 1, until: 2, waited: 7, joins: 4 },
  { name: "latch-wait", shas: ["0b779d3d26fdbf8ba3672d53cbd6199b231eb4ff", "e270af7bbb6a68690dbe1a8b9ef870ab56d44939", "fcde391d664fcad8815d137c3c004cbb0d23ddf2"], refusal: "counting", allKeys: false, notAfter: 0, id: 1, until: 3, class: 2, carries: 2, carriesArg: 2, all: ["open", "lost"] },
  { name: "lock-acquire", shas: ["5f9bb11d50e3ef08e088eae6a5462c58afadd760", "44946887e6f0ef7f7dc40bcb305917ca51e374c5", "2dd8303e45a973c26641d1258b93fb327e9747b3"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, waited: 7, clock: 8, joins: 4 },
  { name: "once-begin", shas: ["913855c4ce41243190833ff87ec2f75735be1bce", "e12a39ff433458a268bc139bf3b3e14925e3153e", "29c76eed3ecaa8250766a9aac8ee1e39ce417ee0"], refusal: "running", allKeys: false, notAfter: 0, id: 1, until: 2, seen: 7, all: ["done"] },
  { name: "rw-acquire", shas: ["6312a2d189d8d58c22e49ab981ecfd3ccc2f4a92", "f5b4f76d2284abb761d064e57cc4771acbdfe60a", "ed4a870befc366c91f68dc79cf38f5536d555057"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 4, graceMs: 1000, class: 4, placed: 5, many: "read" },
  { name: "semaphore-acquire", shas: ["a3de5cd0ff1f093bb27018844ac5efb62c1cdec8", "1e396c3de3a0941e28356f23bee2b6371cb39df9", "f429a373956cac88980d5dc6b5472a6bbd86bbc6"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, waited: 7, class: 1, classIsCount: true, many: "permits" },
  { name: "semaphore-queue", shas: ["dc48ff8a3a797c49f5a3b2e0b30132ec36e57d7a", "b166ebdaf7a94aa142f9406fad0a3bc8fe3b57a9", "947bd2461910af7d637be1ca132ad9bf8d648dac"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 7, ticket: 7, ticketArg: 6, many: "permits" },
];

/** SHA-1s of the other scripts that free nothing anybody waits for: they extend, read, or write a fence. */
export const KEEPING: readonly string[] = [
  "5d709be055a123c45030371fe964919f3c832c65",
  "e4ca2daf72350c12d60e7416d7ce7c3869c0d358",
  "33340c49dc72dd5e3ddc1a8ff41c6e1b1acf4ac2",
  "fb7486e71a6c7f3c0cb83f82d2399fe2c99686dc",
  "4ce0a8e243b81b4a3ca106478c9ab0cc40c35b37",
  "426ad127df5bdd3f445e619d0c34299fd9e61a89",
  "e829cf6cc06245b37275c0412f5fd9dc4e2494bd",
  "b8ca3e9965255c45fa28a0a6b3284d4504e8a9ce",
  "b016d141799875b1ed48daa71d111b98a5936558",
  "73e0f6cf302e38c7be747d27c6b41aa44f797f7c",
  "c5cf9eb731cf64dd0041cc4575b729da0721e4ea",
  "b2f54ee6c8779e328ef8ae06b3592fff7df2fb7e",
  "0cbbbadbe6ba0f7fa0e2bc23bafc5240232b45c8",
  "666ba2727e1bf804203a068a81c29ac7e619dea4",
  "8981f3e146aa693c1e867b2713f77cec707a2097",
  "e22b0821ad6a9a352daaba9a6a4ca84d9612eca1",
  "48b48b371cc1abf8e38731830355862896c4f668",
  "51c8bce373ccd4d858009cecd2d8a8fcba415bf1",
  "4a3f763f84e66a22a2a92e245d6919626b2c00d6",
  "e8781c0c3901f019b4a35f9108aa746dd534a6e7",
  "0b31f5ef848d3cb1caa0f06d09402162ec6ed560",
  "aab46edbf22e1d4fa2237a4ac82cda9ec1a98b67",
  "70076c14f713616229a1bec716ead54c677236d6",
  "688d0a90964138b379d3dd77fe07f9d3bc12900a",
  "bdafc86aeab4596a76d8b6fd7c53e1a929ca36a4",
  "1a1632f60d3eaeb6d47e17764aa499787bbd6a21",
  "4f1011994c642eaad839edc58e0131dc7ee82482",
  "f55840a84b03aa83885ab979145f4d799a0ea600",
  "19d281fc46471c039bc739de398ddda73adc786e",
  "c457b3da085738e808c94fe7fb4d0528042edb37",
  "643680f36f4da0abd08ef36d0c46ca071a02ee9c",
  "2088a74e66478504ea4f708daf38ccfe8952b63f",
  "80cb137b8a8c2e73be6b38177648da8d3b8e4059",
];
