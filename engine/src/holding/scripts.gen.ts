// Generated from the headers in lua/ by tools/build-lua.ts; do not edit.
import type { Waitable } from "./waitable.ts";

/** The scripts whose refusals a server may hold. */
export const WAITABLE: readonly Waitable[] = [
  { name: "fair-acquire", shas: ["1edbf8d12e676604bb83ea6ea5e872416eae86a8", "f51be01d37328bde9697270f7ba4a5262a5bf00c", "dd9de84e26f1112422289f698a0f2afbd1e77260"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 8, ticket: 7, ticketArg: 7 },
  { name: "group-acquire", shas: ["7215f6d1da901c0f6f2157fc3170ac9ce02b6458", "163cc89779ca32356ef65311d756befc3e8bf771", "1ae973e326e5e60149a59bedf90d15878f0b1f79"], refusal: "held", allKeys: true, notAfter: 0, id: 1, until: 2, waited: 7 },
  { name: "lock-acquire", shas: ["b8b5a86ff855e260f601dd1aa4bd813fb7e1c462", "c76768ea705d97992ce405812e4d481571a8009c", "a5642bc4b2c795ed9de22fd383757f89c03e6d99"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, waited: 7 },
  { name: "once-begin", shas: ["089b8aa2e819433205d9968b10ce6870a1e19eea", "be489c299b5c9979ea8dbb9c29f9dc73c6cb41b0", "d8ec1b2bbbd59a4db8578228b02aa2d07fd59d57"], refusal: "running", allKeys: false, notAfter: 0, id: 1, until: 2, seen: 7, all: ["done"] },
  { name: "rw-acquire", shas: ["5bc90ef3f5155e3a9761fdc2e0af60434e2a0b4d", "db32a60287959c9b5511c0ca4771c51d240305cf", "0eab98b57e5d6c2d2c48904f4394f1cfc0edd9eb"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 4, graceMs: 1000, class: 4, many: "read" },
  { name: "semaphore-acquire", shas: ["a1a9124e6e69e502d1574c03b1a9dac74ae31a9a", "3a3925cdf27e4f53088603f00edb9440b242785e", "429e9380512e81d5211004553bb0753cff62700b"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, waited: 7, class: 1, classIsCount: true, many: "permits" },
  { name: "semaphore-queue", shas: ["77dc425244474ca7cd242bcd991a842b74a4acaf", "ebf6319b88ecdf33bf09663fe3b5e3bf7c6bf805", "35c5c2d320da23857b134f4dd5e3d7703ab4a665"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 7, ticket: 7, ticketArg: 6, many: "permits" },
];

/** SHA-1s of the other scripts that free nothing anybody waits for: they extend, read, or write a fence. */
export const KEEPING: readonly string[] = [
  "5cef6f6471905d8998d8a6965fde4121db132f27",
  "df22daec8e8d5f73fa041975c0719bf92e9babff",
  "36a6c5bb9b69da001fbc8b442e0139e5faa8addb",
  "3967143fc0264c9b9bd0803c90875f40b2fba5d7",
  "f2280b123e3a5c806c365490ce7d6a5b14bfdabf",
  "677014071c4d5dc8584def3337bd95ee6e0d5e23",
  "8c3576507c1e7eac6d40f3a0c2f47da5ee3de9d5",
  "7b63548c0c15dd7b4b6c88bd70a3687bae766aa6",
  "c45c36a6ec89871832052080d7c89c3e05af874d",
  "371b1762c0c343676306c385f003b6f5ca2eb1f1",
  "3baaac274854e9601121d089d6947d89e24263a6",
  "1d10c4a746088ba083afe7d0f7e9052987145948",
  "1301a07b8ccda1252a9b240f07a8f514c9c9a87c",
  "810b263609434f11a9cd4359e5c5e07ac0255819",
  "7b41e051b39b52e8e5e5669c9045fc0edaa7db33",
  "5d1feb226405aaba63b15761c287e42010a610b0",
  "8ccacc2c33ab8f38a5ced3cde18f4866a42a4ef1",
  "d60a6d39431d45dd08d4b3d67ca87ffb4c5cc68a",
  "52446ef5bf56f388501347d0b811fc4a21c6c6d8",
  "0cff877fa08ab470dbab2a80eed2fbe938e2298f",
  "211fc4413254363589a258966a92ff3a7ce1b223",
  "0f78b0f649f021ae810aff1baa721f359d011083",
  "871d7644b334d43151b8b374e2f086747da51224",
  "03cdb6faf6b8cb7051bd743606b68ccf92ba47d2",
  "4357b00f6c132760588da8e54df033e80b32641f",
  "53a2ae27efff1c0f99623962658db144dcb07a10",
  "5165a1f01edd347baa7c982e910c9370d429c2c9",
  "456ef2f3a30a7df647271d225dfbd93693a8c9d1",
  "0adc680631e656a671ff7c3325d99c0898bd60ec",
  "e9c6e3bbecb3c9de6d4118efa44f41d743d27cfa",
];
