// Generated from the headers in lua/ by tools/build-lua.ts; do not edit.
import type { Waitable } from "./waitable.ts";

/** The scripts whose refusals a server may hold. */
export const WAITABLE: readonly Waitable[] = [
  { name: "crowd-extend", shas: ["5ff03b0191e078c0c40890ea9122ae461f5bcb5e", "3e6150cf5746758fe9d1ae4f7fec22ffb7bb6daf", "65706ada3098c2d8eb643424f17937c082ef1a82"], refusal: "extended", allKeys: false, notAfter: 0, id: 1, until: 2, all: ["lost"], zero: 3 },
  { name: "fair-acquire", shas: ["48bc6f5de4355d6a280417efc8907f7de849f969", "1369029154b07e409a587637478b18538c624d4b", "7d79379a6cfd82c8ea982b141d1ed61f5830bcd1"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 8, ticket: 7, ticketArg: 7, joins: 4 },
  { name: "group-acquire", shas: ["f23f0dc046051a7a5ea2782711b7e9f205994e21", "2f9a6e25a16b323affb1608de4205a9564d4d86a", "3334c79c5f8a5e9a97131e6c3acffdf7c4503699"], refusal: "held", allKeys: true, notAfter: 0, id: 1, until: 2, waited: 7, joins: 4 },
  { name: "latch-wait", shas: ["bd4fbf5efeece2a724dee4bd18da355016e2ffea", "48f9c89708685e60f7cda5d3d32d0fe571388592", "a2a105cc3336900fbec8b4a4883353da430c511b"], refusal: "counting", allKeys: false, notAfter: 0, id: 1, until: 3, class: 2, carries: 2, carriesArg: 2, all: ["open", "lost"] },
  { name: "lock-acquire", shas: ["7d023370547dd61f2a22f817b18c07d0b723c92c", "dc37471085ced2f6a8efe118fa8e2d4797da6317", "4d8425a431a223d399a41317e2bc5e8dcb93cdfc"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, waited: 7, clock: 8, joins: 4 },
  { name: "once-begin", shas: ["72022a84b79ae10a62357199a553851e1150060d", "024731b02740fa5976b52a563f2a116e03c386dd", "456986d03cf8505cf7061c36eb49c9462bef3984"], refusal: "running", allKeys: false, notAfter: 0, id: 1, until: 2, seen: 7, all: ["done"] },
  { name: "rw-acquire", shas: ["f69dabf695fc8574ff8c7ca45f4b8829a2d42d7d", "60d265ffe41b1db430fcd606d011f596b3e3ca9e", "052738c44f1b82f43e023079ebf0e2d2c4598274"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 4, graceMs: 1000, class: 4, many: "read" },
  { name: "semaphore-acquire", shas: ["42905dac761198122295a91a848fa091c6c8d5a1", "da414c87654c7b490c32ba22e66328127009e4f5", "ea99b334ae4714654e0725474537197fdb794ede"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, waited: 7, class: 1, classIsCount: true, many: "permits" },
  { name: "semaphore-queue", shas: ["d8582e3d0e1381324d13288bc7f08edace51d7ca", "01f2b59bff1a5291eea2d6d4479d9020f1597418", "9c21461d8abaa94bf0ae017615bbd561b0960d2d"], refusal: "held", allKeys: false, notAfter: 0, id: 1, until: 2, back: 6, grace: 7, ticket: 7, ticketArg: 6, many: "permits" },
];

/** SHA-1s of the other scripts that free nothing anybody waits for: they extend, read, or write a fence. */
export const KEEPING: readonly string[] = [
  "5ff03b0191e078c0c40890ea9122ae461f5bcb5e",
  "3e6150cf5746758fe9d1ae4f7fec22ffb7bb6daf",
  "65706ada3098c2d8eb643424f17937c082ef1a82",
  "0403ad61bc8a205c18559c6899556af455ebfc80",
  "67e376fd4a7512709b8c5fd24597e8239f1531ea",
  "ee7da78d31c92b3f69d553ad9a32710053c3f976",
  "1e86b0fa023ed1367ef6ed0691c90bdbb5a8a38f",
  "ee40bc4b4b0e34eb4b624f605db4517f40ec700c",
  "7f1f165b0ce6140631df1ffa891fee7c79375727",
  "6b7bb0b14b1f7454ac4912f84eb68cbec68459f4",
  "8b0b5afbdb9902bb57906ee46623bb8b7ba40713",
  "14829794acf5c100c95776cda77772f93681d683",
  "99f9f39123aa7542c25f9d886c3be5f47fdc53c0",
  "06ca8ec847e652d7fc3017318c4be64aa013767d",
  "9a4e3d306033300967911aca3e9a90c282d9956d",
  "795201a6f414436185afe4130977458221395211",
  "3c0a591f4a3e1eb79358cce00d60b7473858695b",
  "5d3f80df534de4347481e3b85d2188b168df6ee0",
  "ca3dc03b69fec1744041a9b6c9652ed9ca4e8c73",
  "e46fc1cc3ed0420de6890930cb8db2c472e00525",
  "4773d40402b5158d1f025b1211637b96b2dbe1d2",
  "dd63cb23b4dbd7e2c1abea9eacfe5fef3609d558",
  "c29af1b2ca3ca326e47c30cae4c32d8ed72154df",
  "0faeb9b8229e93356b2af63f7e2ce363717c52f7",
  "fa91269a132057bfa412ddd41ab4bf605f5f71b6",
  "690e960297dfbb8e3da52bdb13eb30b5b3117f82",
  "22902973285c15a2db1067cc34f3ededb1137ca6",
  "892e2b515f5c72046e83b8cb9ad0a3c060812175",
  "2f8b75b8ba7d6fb259352fa3902632cba58dcc2b",
  "96c2789d3fc4268b3ce4fbdd0c8c31ed2ea3b9ec",
  "cad36be65c386d43f10653d0dff5be731172431a",
  "2de18558e70655728b3b63e480413583086aad73",
  "b04047106ae96ec58dd8a504db05adad0ea74553",
];
