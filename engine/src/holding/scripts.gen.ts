// Generated from the headers in lua/ by tools/build-lua.ts; do not edit.
import type { Waitable } from "./waitable.ts";

/** The scripts whose refusals a server may hold. */
export const WAITABLE: readonly Waitable[] = [
  { name: "crowd-extend", shas: ["3c6b853194edc310530fa9dd98f6597b972b62ca", "62ddf060efb6bcf35ccca6c5603c43a827e7badd", "e0420c14242b30aa89f7df1eea4f107b503ee81a"], refusal: "extended", allKeys: false, notAfter: 0, id: 1, until: 2, all: ["lost"], zero: 3 },
  { name: "fair-acquire", shas: ["c7990945fbc26b7067b73f9ad99c9c4918f49c5d", "a97f2cbbcc95c0439b616ba7ea79fbd670526bfa", "eddcb1b99e1ac4c53a666ebd055e4768db8161da"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 8, ticket: 7, ticketArg: 7, joins: 4 },
  { name: "group-acquire", shas: ["0b0c0b7aaaf3784baee9c3c644e036403f3833ab", "c3adbc9b73ecbe9ca5aa150c647202b413503cf9", "0093e92c98ec18a175ab62fb611b35ca0a622c7b"], refusal: "held", allKeys: true, notAfter: 0, id: 1, until: 2, waited: 7, joins: 4 },
  { name: "latch-wait", shas: ["0783b719a63930ea1a6b7ed73a10c86ef6ebf828", "e2467b114a4d4cd8f59da2f6b673681c1151e09b", "a828afab710c44c3b4f5e0276c249efd81da4b96"], refusal: "counting", allKeys: false, notAfter: 0, id: 1, until: 3, class: 2, carries: 2, carriesArg: 2, all: ["open", "lost"] },
  { name: "lock-acquire", shas: ["00241575a92389914b8864c36a6b115b78e8d12b", "79e9658bd22286b660934455bd712988a4f5addf", "ddc5423538eb182c7a1c031ed15dacfaf60f2a94"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, waited: 7, clock: 8, joins: 4 },
  { name: "once-begin", shas: ["64e09f0a5bbe59572b0fd84ec4026bcae9ff2bbd", "f30ae9968b0832b6c8842260f66896ef21b4d096", "6455b9be5ea6a8b090d33f5b1f79f2c239dfb5c0"], refusal: "running", allKeys: false, notAfter: 0, id: 1, until: 2, seen: 7, all: ["done"] },
  { name: "rw-acquire", shas: ["1c947e934e25ee63778d812532359abffa08289b", "746c59f657ea1bb7d0d5b6646daf0b27113d0dd5", "4d91cfbf3f0be3cd89bf8d806112a01174bcb48e"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 4, graceMs: 1000, class: 4, many: "read" },
  { name: "semaphore-acquire", shas: ["b8db9038ea434083d2ec75693c7a8b3fd81d65d6", "d246391ee3a3e4ccb481199b8d8167594f726e00", "f1478dbab20accb7f850143a4b6062764a085522"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, waited: 7, class: 1, classIsCount: true, many: "permits" },
  { name: "semaphore-queue", shas: ["7e758cb68db34ba656618e21cce45dae80dbd3f7", "a2f05f6791470f9553606efa076177403b8c85c4", "86f8c128be63e9abb1bbf1d81bb676aef28e9a30"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 7, ticket: 7, ticketArg: 6, many: "permits" },
];

/** SHA-1s of the other scripts that free nothing anybody waits for: they extend, read, or write a fence. */
export const KEEPING: readonly string[] = [
  "3c6b853194edc310530fa9dd98f6597b972b62ca",
  "62ddf060efb6bcf35ccca6c5603c43a827e7badd",
  "e0420c14242b30aa89f7df1eea4f107b503ee81a",
  "b8448f9ace89bd29a1239811bd926a7d20ba1b36",
  "316933556cbd1704ef39cad214cd93ac142019bf",
  "a2a53912be8a175593e917cb3809c26368abc6a0",
  "010520c7978171a6be3a3af4b616c8c3995e25fb",
  "0f4ddbbc4868bd2a881453eb1eda0261ff1fbd8f",
  "72c03f1e2305a608add335bfea4fc729229174a5",
  "efe3d8644107780ec6c52d2255222f6eb7a4e0b5",
  "015ac278ab1bbe8f77dfd8e14f188a06b9d77218",
  "d20b5f77a97eaaca835704178af07ea5ec7ed3ce",
  "3be5a2dd11ffa776d582a12adc1a9bd03762a6b4",
  "abf5972685be9024f034549fae7beb99133f4e74",
  "1ed2148b0b6f4b2434084955d34cb2db49c0b55e",
  "ca2587069a43e7f4a2693b9010eaf84f1ab72ef6",
  "bd027e98891c687e7cb6a5e1a30caccff265defc",
  "fd665d6c17b6dfa1b7a46e530e72de3f5626c03a",
  "341d645ae670e6207e3d36a2439ef3be835365f0",
  "02b7943ce955ad57aaf496eb5d6fa9267714dfa9",
  "e9b16d25dcd2c89facf9a2198c83cceb9326c91a",
  "cfefcf8de4f3cad35d6c8b524249e96753704798",
  "c6e34f6692b664cc86932b8905133088f361a0ae",
  "de24a0871341e3106dd3eb5d1e15051f77565a58",
  "3da1a7bd2d2ea5a5859881a039f96c39485a958a",
  "04ee30d47e0510c361f98541ebc88caa5588c8a3",
  "042c43021cd4a6340af8b55d10e3a427e279d6c9",
  "b871d92cd886f41c7540f023d16e74d436764095",
  "15cca956d69089fe16be5006393cca5932be6a06",
  "bf472c0243d2e0c3ecd1d369badd3b5b6e4b2933",
  "68afa0b80f4c4c78a55273290069bb3c34ca1cb0",
  "cf94f11de764bbae3f4cf144a3353f7d944adc0f",
  "e4dfa53c971743a59fce98d1fb0a3225898e94c4",
];
