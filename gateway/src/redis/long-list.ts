/** The longest packed string. A longer string takes little more as its own buffer. */
const MAX_PACKED_BYTES = 1_024;
const BLOCK_BYTES = 64 * 1024;
/** Marks an item that is not a packed string. */
const OTHER = -1;

/**
 * The items of a long array. Short strings are packed into large blocks: a `Buffer` for each would take about 115 extra
 * bytes, and garbage collection of a million of them would pause the process.
 */
export class LongList<T> implements Iterable<T | Buffer> {
  /** The lengths of the packed strings. */
  readonly #lengths: number[] = [];
  readonly #others: (T | Buffer)[] = [];
  readonly #blocks: Buffer[] = [];
  /** The bytes used of the last block. */
  #used = BLOCK_BYTES;

  get length(): number {
    return this.#lengths.length;
  }

  /** Whether an item is packed. */
  static packs(item: unknown): item is Buffer {
    return Buffer.isBuffer(item) && item.length <= MAX_PACKED_BYTES;
  }

  push(item: T | Buffer): void {
    if (!LongList.packs(item)) {
      this.#lengths.push(OTHER);
      this.#others.push(item);
      return;
    }
    if (this.#used + item.length > BLOCK_BYTES) {
      this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES));
      this.#used = 0;
    }
    this.#blocks.at(-1)?.set(item, this.#used);
    this.#used += item.length;
    this.#lengths.push(item.length);
  }

  *[Symbol.iterator](): Iterator<T | Buffer> {
    const others = this.#others.values();
    const blocks = this.#blocks.values();
    let block: Buffer = Buffer.alloc(0);
    let at = BLOCK_BYTES;
    for (const length of this.#lengths) {
      if (length === OTHER) {
        const other = others.next();
        if (other.done !== true) yield other.value;
        continue;
      }
      if (at + length > BLOCK_BYTES) {
        block = blocks.next().value ?? block;
        at = 0;
      }
      yield block.subarray(at, at + length);
      at += length;
    }
  }
}
