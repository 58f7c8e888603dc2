// Generated from the headers in lua/ by tools/build-lua.ts; do not edit.
import type { Waitable } from "./waitable.ts";

/** The scripts whose refusals a server may hold. */
export const WAITABLE: readonly Waitable[] = [
  { name: "crowd-extend", shas: ["cece9ebcdda6a2d781a6d663eb697d5ea4b0e5da", "e97ea326a46dc54996d30bb0705f946c8e630511", "43c1e9afd411963a35c7aad4947f32e56fa5afbf"], refusal: "extended", allKeys: false, notAfter: 0, id: 1, until: 2, all: ["lost"], zero: 3 },
  { name: "fair-acquire", shas: ["f34f6a8494e44ae6e7698bcd0021c032891c744a", "13bf3c1e283fb74b8240b9dc821102ac5db0a061", "285ef6c2ac13a77093e3602e0537559bf46d042e"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 7, ticket: 7, ticketArg: 6, joins: 4 },
  { name: "group-acquire", shas: ["b6364c2798040bafc6764997a97b7f9abf991625", "3b0764ec57291587e70e39e399f97480eb004580", "917d6f9052573c0a6f2947e822bd5cd565b22436"], refusal: "held", allKeys: true, notAfter: 0, id: 1, note: 5, until: 2, waited: 7, joins: 4 },
  { name: "latch-wait", shas: ["72a133c98cda4ac8fba01a7d7ed2fc437b0e79dc", "6e801e3b089f52f328d4d1b2d9156e2d3c629022", "1474cce96ba0bef602b414bfbe758c9fb5bb74c0"], refusal: "counting", allKeys: false, notAfter: 0, id: 1, until: 3, class: 2, carries: 2, carriesArg: 2, all: ["open", "lost"] },
  { name: "lock-acquire", shas: ["e161a986bda71a941fde461f8bfa7181d6a532a9", "8b4af3b0d4b10c21887861978c77f1be4e4cf386", "82ffeddff6d6b1f1f6df005d4b34a79ad204e5cf"], refusal: "held", allKeys: false, notAfter: 0, id: 1, note: 5, until: 2, waited: 7, clock: 8, joins: 4 },
  { name: "once-begin", shas: ["80c3799a0c9b09c192b5780ddfccb1ef2a28c934", "046b64a4c253464bf7256a62db56a044c9e8d177", "3bd079bbee35fe7e8450c218c42fe4558885037a"], refusal: "running", allKeys: false, notAfter: 0, id: 1, note: 8, until: 2, seen: 7, all: ["done"] },
  { name: "rw-acquire", shas: ["938592241fef87999e12f42380dba6061e63818b", "c432067c739b01c48d83de903a25b28a89e95158", "b3e142c9a8f6c0d7e8b567f177dc4596fefd77f1"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 4, graceMs: 1000, class: 4, placed: 5, many: "read" },
  { name: "semaphore-acquire", shas: ["e3c46869d750f957146fc81eb743f16eb959ad56", "a671ec20d9ae7b442fb7db8bdf7f1c140d749390", "1f14a32cd7e7d8483db6d1b0d149c8fc55177908"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, waited: 7, class: 1, classIsCount: true, many: "permits" },
  { name: "semaphore-queue", shas: ["2b3ae77942c092401705e09d89fca6d6ccd2bd4a", "2b25a6c3455271614123b7322484bfad0bf3cd7b", "ccc97743a4c1db7c60b6b81d23c234a6c077a745"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 7, ticket: 7, ticketArg: 6, many: "permits" },
];

/** SHA-1s of the other scripts that free no name: they extend, read, or write a fence. */
export const KEEPING: readonly string[] = [
  "cece9ebcdda6a2d781a6d663eb697d5ea4b0e5da",
  "e97ea326a46dc54996d30bb0705f946c8e630511",
  "43c1e9afd411963a35c7aad4947f32e56fa5afbf",
  "6a78b841e173969b6b12814c43285fe1bdc6b196",
  "a9ab30eea698c92d18ea9e7df418cf061cbd9810",
  "86f65f04b4cfa0b6b95dc49f2481341c2008bd03",
  "246210493ecbbbd586f375a283fd25a431923ae7",
  "46714644f5ede28699810c5f68de91892a9ef697",
  "4a0724256a1172ee3d031b89623e4758c25d3118",
  "73e0f6cf302e38c7be747d27c6b41aa44f797f7c",
  "c5cf9eb731cf64dd0041cc4575b729da0721e4ea",
  "b2f54ee6c8779e328ef8ae06b3592fff7df2fb7e",
  "0cbbbadbe6ba0f7fa0e2bc23bafc5240232b45c8",
  "666ba2727e1bf804203a068a81c29ac7e619dea4",
  "8981f3e146aa693c1e867b2713f77cec707a2097",
  "d66b9997a059633995ab6a31cdf14548c1a91518",
  "6eb949ea6f2be2893e656001a1159c9de06b002b",
  "fa961e5700e0a0ef54aed72f7ad2a3cbf88f135a",
  "293dbcdee37f9c7de8d26fae24dad7e51da54eb1",
  "d876a4efd2ac8c7f5b776f71f5b10ba40b290fbc",
  "086d658eaab717095ce570d2c6acf9c7fba44714",
  "ba5a09c670b1bd03f19da7eb770de47d611e3b9c",
  "2b1547a2fd5c025823da6005b4905314d4ae3eee",
  "96105414cd113c01019cfe191ff4c78464074f3e",
  "503f023def0bf4927d3eb6b609e5c908774b1738",
  "bfb36fa363a7325a842cb6f56bfc4f82005ce7b9",
  "879b6cb4b59b1cc79c4393c591f7dc921bcfa9c5",
  "4dbc7b59ca7f497c5e5c090c4693b7110a24ad78",
  "bea1abcaaa6388c486fb8d0a46be5b43a9a94300",
  "1665406793002fff5f6c4907ba4f1496cc723d44",
  "c8d5c2416fd0b920f411613335884e4ab707ee45",
  "c74f676dcd13fa076834d4512a22edba2102683d",
  "984b7ae0037b80d4b3821694b2b99ffe12c2c3b7",
];
