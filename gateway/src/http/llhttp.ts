import { createHead, END, type Part } from "./client-request.ts";
import { LLHTTP } from "./llhttp.gen.ts";

/** The status that answers bytes that are not a request. */
export type Flaw = 400 | 413 | 431;

/** The functions of llhttp that are used here. A pointer is a place in its memory. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  malloc(bytes: number): number;
  llhttp_alloc(type: number): number;
  llhttp_free(parser: number): void;
  llhttp_execute(parser: number, data: number, length: number): number;
  llhttp_resume_after_upgrade(parser: number): void;
  llhttp_get_error_pos(parser: number): number;
  llhttp_get_method(parser: number): number;
  llhttp_get_http_major(parser: number): number;
  llhttp_get_http_minor(parser: number): number;
  llhttp_method_name(method: number): number;
}

const REQUEST = 1;
/** Results of callbacks. */
const [GO_ON, STOP] = [0, -1];
/** Results of reading. */
const [OK, PAUSED_UPGRADE] = [0, 22];
/** The number of bytes read in one step. */
const SCRATCH_BYTES = 65_536;
/** The longest piece that is converted to text as a whole: most pieces are a head with a short body. */
const SHORT_BYTES = 4_096;
const MAX_FIELDS = 1_000;
const END_OF_HEAD = "\r\n\r\n";
/** The maximum overhead of the chunks of a body in bytes: a fixed number, and this many for each byte of the body. */
const CHUNK_BYTES = 16_384;
const CHUNK_RATIO = 8;

/** The part of a request that has arrived. */
interface State {
  readonly maxHeaderBytes: number;
  target: string;
  names: string[];
  values: string[];
  /** Whether the last bytes ended in a name, which the next ones may continue. */
  isInName: boolean;
  headerBytes: number;
  isInRequest: boolean;
  isInBody: boolean;
  /** Whether the request was the last one of its connection. */
  isOver: boolean;
  /** The number of requests that have begun. */
  requests: number;
  /** The bytes of the body, and all bytes that came after the head. */
  bodyBytes: number;
  sentBytes: number;
  flaw: Flaw | undefined;
}

/** The part of it that readers need. */
type RequestState = Readonly<Pick<State, "isInRequest" | "isInBody" | "isOver" | "names">>;

/** The state of the active parser, the list for its parts, and the bytes that it reads. */
let state: State;
let out: Part[];
let piece: Buffer;
let text: string | undefined;
/** Whether no field of this piece has been read yet. */
let isFirst = true;

/** Counts the bytes of a head, or of the trailers after a body. */
function counted(bytes: number): number {
  state.headerBytes += bytes;
  if (state.headerBytes <= state.maxHeaderBytes) return GO_ON;
  state.flaw = 431;
  return STOP;
}

function textAt(at: number, length: number): string {
  const start = at - scratch;
  const end = start + length;
  return text === undefined || end > text.length ? piece.toString("latin1", start, end) : text.slice(start, end);
}

function onName(at: number, length: number): number {
  if (state.isInBody) return counted(length);
  const { names, values } = state;
  if (isFirst && state.isInName) names[names.length - 1] += textAt(at, length);
  else {
    names.push(textAt(at, length));
    values.push("");
  }
  isFirst = false;
  state.isInName = true;
  if (names.length > MAX_FIELDS) state.flaw = 431;
  return state.flaw === undefined ? counted(length) : STOP;
}

function onValue(at: number, length: number): number {
  if (state.isInBody) return counted(length);
  const { values } = state;
  values[values.length - 1] += textAt(at, length);
  isFirst = false;
  state.isInName = false;
  return counted(length);
}

function onHead(parser: number, isKeptAlive: boolean): number {
  if (wasm.llhttp_get_http_major(parser) !== 1) return STOP;
  const { target, names, values } = state;
  const isOld = wasm.llhttp_get_http_minor(parser) === 0;
  out.push(createHead({ method: methodOf(wasm.llhttp_get_method(parser)), target, names, values, isOld, isKeptAlive }));
  state.isInBody = true;
  state.isOver ||= !isKeptAlive;
  return GO_ON;
}

const ENV = {
  wasm_on_message_begin(): number {
    state.target = "";
    state.names = [];
    state.values = [];
    state.isInName = false;
    state.headerBytes = 0;
    state.requests++;
    state.bodyBytes = 0;
    state.sentBytes = 0;
    state.isInRequest = true;
    return GO_ON;
  },
  wasm_on_url(_parser: number, at: number, length: number): number {
    state.target += textAt(at, length);
    return counted(length);
  },
  wasm_on_status: (): number => GO_ON,
  wasm_on_header_field: (_parser: number, at: number, length: number): number => onName(at, length),
  wasm_on_header_value: (_parser: number, at: number, length: number): number => onValue(at, length),
  wasm_on_headers_complete: (parser: number, _status: number, _upgrade: number, isKeptAlive: number): number =>
    onHead(parser, isKeptAlive === 1),
  wasm_on_body(_parser: number, at: number, length: number): number {
    state.bodyBytes += length;
    out.push(piece.subarray(at - scratch, at - scratch + length));
    return GO_ON;
  },
  wasm_on_message_complete(): number {
    state.isInRequest = false;
    state.isInBody = false;
    out.push(END);
    return GO_ON;
  },
};

const module: WebAssembly.Module = new WebAssembly.Module(Buffer.from(LLHTTP, "base64"));
const instance: WebAssembly.Instance = new WebAssembly.Instance(module, { env: ENV });
const wasm: Exports = instance.exports as unknown as Exports;
const scratch: number = wasm.malloc(SCRATCH_BYTES);

let memory: Buffer = Buffer.from(wasm.memory.buffer);

/** The memory of llhttp, which gets another buffer when it grows. */
function memoryNow(): Buffer {
  if (memory.buffer !== wasm.memory.buffer) memory = Buffer.from(wasm.memory.buffer);
  return memory;
}

const methods: string[] = [];

function methodOf(code: number): string {
  const known = methods[code];
  if (known !== undefined) return known;
  const start = wasm.llhttp_method_name(code);
  const bytes = memoryNow();
  const name = bytes.toString("latin1", start, bytes.indexOf(0, start));
  methods[code] = name;
  return name;
}

/** Reads bytes that fit into the memory set aside for them. */
function execute(parser: number, bytes: Buffer): boolean {
  memoryNow().set(bytes, scratch);
  let at = 0;
  while (at < bytes.length) {
    const result = wasm.llhttp_execute(parser, scratch + at, bytes.length - at);
    if (result === OK) return true;
    // A request for another protocol is answered like any other, and the next one may follow it.
    if (result !== PAUSED_UPGRADE) return false;
    at = wasm.llhttp_get_error_pos(parser) - scratch;
    wasm.llhttp_resume_after_upgrade(parser);
  }
  return true;
}

/** Whether the chunks of a body have so much overhead that they must be an attack. */
const isPadded = ({ sentBytes, bodyBytes }: State): boolean => sentBytes > CHUNK_BYTES + (1 + CHUNK_RATIO) * bodyBytes;

/** One parser of llhttp, with the part of the current request that it has read. */
export class Llhttp {
  readonly #parser: number = wasm.llhttp_alloc(REQUEST);
  readonly #state: State;

  /** @param maxHeaderBytes the maximum bytes of a head, and of the trailers after a body */
  constructor(maxHeaderBytes: number) {
    this.#state = {
      maxHeaderBytes,
      target: "",
      names: [],
      values: [],
      isInName: false,
      headerBytes: 0,
      isInRequest: false,
      isInBody: false,
      isOver: false,
      requests: 0,
      bodyBytes: 0,
      sentBytes: 0,
      flaw: undefined,
    };
  }

  /** The current request, or the last one. */
  get request(): RequestState {
    return this.#state;
  }

  /**
   * Reads bytes, and adds the parts that they complete to `parts`.
   *
   * @returns a flaw, after which nothing more can be read
   */
  read(bytes: Buffer, parts: Part[]): Flaw | undefined {
    const mine = this.#state;
    state = mine;
    out = parts;
    for (let at = 0; at < bytes.length; at += SCRATCH_BYTES) {
      piece = bytes.length > SCRATCH_BYTES ? bytes.subarray(at, at + SCRATCH_BYTES) : bytes;
      // Without the body after it, which a slice of the head would keep in memory.
      const headEnd = piece.length <= SHORT_BYTES ? piece.indexOf(END_OF_HEAD) : -1;
      text = headEnd === -1 ? undefined : piece.toString("latin1", 0, headEnd + END_OF_HEAD.length);
      isFirst = true;
      const { isInBody: wasInBody, requests } = mine;
      if (!execute(this.#parser, piece)) return mine.flaw ?? 400;
      if (wasInBody && mine.isInBody && mine.requests === requests) mine.sentBytes += piece.length;
      if (isPadded(mine)) return 413;
    }
    return undefined;
  }

  /** Must be called when the connection has ended. */
  free(): void {
    wasm.llhttp_free(this.#parser);
  }
}
