// Generated from the headers in lua/ by tools/build-lua.ts; do not edit.
import type { Waitable } from "./waitable.ts";

/** The scripts whose refusals a server may hold. */
export const WAITABLE: readonly Waitable[] = [
  { name: "fair-acquire", shas: ["86ea6d1a6acc15adc0d4f18977d810d8ee7e99bf", "6c600dfd01c1a307eb5ffce7280c95fe217a87f9", "5418a6de5553ae02fe7bd03a5b8daad4fafe6d84"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 8, ticket: 7, ticketArg: 7, joins: 4 },
  { name: "group-acquire", shas: ["64a7a8578b8f7361ca0b9b58c44f5b78e28528c8", "47efd2ca15efcc332fd1f1e06d0a480bc0212ecb", "f83e6f4e93457e87c94f65c9f87374a543de7be8"], refusal: "held", allKeys: true, notAfter: 0, id: 1, until: 2, waited: 7, joins: 4 },
  { name: "latch-wait", shas: ["082b8bef1292ba5d33b10fb9eb6e8db00ab51157", "820b1173b4c830c36058b9ffef28a10cae17ce28", "d3fe34e164cf0cd2c41a175a41979a37be517b45"], refusal: "counting", allKeys: false, notAfter: 0, id: 1, until: 3, class: 2, carries: 2, carriesArg: 2, all: ["open", "lost"] },
  { name: "lock-acquire", shas: ["964c3bafa047a372a1063d9d037f3d1739e6a9a9", "2d386e92983e5e28eaf3fe58668ab8e2bb8a9246", "de43e988734758faa8c6a8f7d2619b153558d9ae"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, waited: 7, clock: 8, joins: 4 },
  { name: "once-begin", shas: ["1b2df4e7dfabd77714232c09b4e7fd4b0678f7b6", "a103b80a941b566a0f04d493b752fa49018f0a3f", "0d8f673471fd178d70728036b88d5c5d9d7ee1f0"], refusal: "running", allKeys: false, notAfter: 0, id: 1, until: 2, seen: 7, all: ["done"] },
  { name: "rw-acquire", shas: ["32f27729df531500f88ac4ee15d393a2760d8db6", "5169c0cf2179dbaf97f27654400a19fea67da15b", "41489cebdbf5fbdf1ce454e01a4775a78581969b"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 4, graceMs: 1000, class: 4, many: "read" },
  { name: "semaphore-acquire", shas: ["4e1cd51efc304436fe6f0fe5d409689a1555caae", "743c937fd442e9535d678285d55a746bd2314a5a", "ed8f4b8679f397d1084bbf53ea5c75c8374839b0"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, waited: 7, class: 1, classIsCount: true, many: "permits" },
  { name: "semaphore-queue", shas: ["247a59b812515b63ba143754bf26d38fa0949063", "bd4bf48ba2252c3516d0ac643d36d5437cd28dcd", "152941d1b42ef62353545110d4c27bc1e1f358ce"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 7, ticket: 7, ticketArg: 6, many: "permits" },
];

/** SHA-1s of the other scripts that free nothing anybody waits for: they extend, read, or write a fence. */
export const KEEPING: readonly string[] = [
  "ff9f44c558c821d283f546beece77572840d3bec",
  "b25b3874808d553d8b1100ccc31ea38e91b94047",
  "c2306c3d7a1d56404d20c5dc2cb31d62dd705874",
  "0fa6ecd15d553d909d8a9ce1a693040ff8c38591",
  "4a9c2b22b2c51ffbd47adc731a421208384764b5",
  "8fa3e8763fd619b6a438a2b4b9574d0a69620525",
  "380f67fee404818cb5f5d93dc1158666f772fc48",
  "004f056cfba6e4949c2c35bef6c8241ebc92c68d",
  "50e4a2c694f1183c8059d602aa18f1acd1b84394",
  "619c6899791621f12eb55eeb0a1f6f097dfadca4",
  "d1f6471dfa67a610eff661d8feb290f1fa82695e",
  "62f32ab8588912d720e4c51ac8a2c66b9109f65d",
  "a2ec9cb7e8adbb8889edefcf9abfe24edf94b6db",
  "d0ac062f49ebce3fd58980eebb052a680789a590",
  "80f8eab8c0ebd23e3ee687060f2370c8c88c7dc2",
  "b6250e2393f31398f39b8c5e0b399fafa8b67ff8",
  "95d1f2002fa5f25866b31092f9e3970e0b7f34f4",
  "ea6a7634a4fc9301998e1cd035ff4d31b1d622b4",
  "65af956a8b20dc6335eb110f36e99dc6f31e28e0",
  "c71b3ddef883bbbf57c2992b091c03a27fafcb5e",
  "14a30d56a1bb3532050782a2fd8d4f888755d21d",
  "736afaefded9c442df4fbb7a946faecc4f79ffc1",
  "7b912f26b5d548ee69c0a81a0a2995759e50bee8",
  "e56cae80b4c59af02d411addf278d6451630193f",
  "bbb5e78553250b2574acde5ce539d407484fd5b2",
  "5cb629973ecd7acc5f363a2dff2dbe17fdb58fab",
  "17d935e2f686a3f390f76f49019ab8720943e5fd",
  "4bf8bbd5a916bae3432402beaf8536f0f7535be1",
  "29c537276c858753972b6ef4fc75193266244aa7",
  "bad701f19d6f7c8f73705f338ae33cf1e6585d62",
  "10e73fed6954b7a1ae182ec0751681a3a85e4c4a",
  "85612f848bc134dc887ffa7f2a5c4a5b5b2dede2",
  "09ed924641b313247089797a5b897f96ca881c69",
];
