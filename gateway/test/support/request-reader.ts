const CRLF = "\r\n";
const CRLF_BYTES = 2;

/** A command of which some words have arrived. */
interface Partial {
  readonly words: string[];
  readonly count: number;
}

/**
 * Makes a reader of commands from bytes, which may be split anywhere. It returns the words of each complete command,
 * one character for each byte. Each byte is read once, however many chunks a command arrives in.
 */
export function createRequestReader(): (chunk: Buffer) => readonly (readonly string[])[] {
  let chunks: Buffer[] = [];
  let size = 0;
  /** How many bytes must be there before the next word is complete. */
  let needed = 1;
  let partial: Partial | undefined;

  return (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size < needed) return [];
    const bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks, size);
    const commands: string[][] = [];
    let at = 0;
    for (;;) {
      const end = bytes.indexOf(CRLF, at);
      needed = size - at + 1;
      if (end === -1) break;
      const number = Number(bytes.toString("latin1", at + 1, end));
      const begin = end + CRLF_BYTES;
      if (partial === undefined) {
        partial = { words: [], count: number };
        at = begin;
        continue;
      }
      const next = begin + number + CRLF_BYTES;
      needed = next - at;
      if (next > size) break;
      partial.words.push(bytes.toString("latin1", begin, begin + number));
      at = next;
      if (partial.words.length < partial.count) continue;
      commands.push(partial.words);
      partial = undefined;
    }
    chunks = [bytes.subarray(at)];
    size -= at;
    return commands;
  };
}
