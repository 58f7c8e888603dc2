export const CRLF_BYTES = 2;
/** The first bytes of a status, an error, an integer, a bulk string and an array. */
export const STATUS = 0x2b;
export const MINUS = 0x2d;
export const INTEGER = 0x3a;
export const BULK = 0x24;
export const ARRAY = 0x2a;
/** Of RESP3: a push (an unsolicited array), a map, a set, and null. */
export const PUSH = 0x3e;
export const MAP = 0x25;
export const SET = 0x7e;
export const NULL = 0x5f;
