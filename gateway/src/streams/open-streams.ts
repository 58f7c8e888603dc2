import type { HttpResponse } from "../http/message.ts";

/** The responses that last until one side ends them. */
export interface OpenStreams<T> {
  readonly count: number;
  /**
   * Tracks the stream of a response that was opened with `key`. A response without a stream is returned unchanged.
   *
   * @param sent receives the length of each piece
   */
  watch(response: HttpResponse, key: T, sent: (bytes: number) => void): HttpResponse;
  /** Ends the streams whose key `isOver` selects, as if the server had no more data. */
  end(isOver: (key: T) => boolean): void;
}

interface Entry<T> {
  readonly key: T;
  end(): void;
}

export function createOpenStreams<T>(): OpenStreams<T> {
  const all = new Set<Entry<T>>();

  function watched(
    source: ReadableStreamDefaultReader<Uint8Array>,
    key: T,
    sent: (bytes: number) => void,
  ): ReadableStream<Uint8Array> {
    let leave = (): boolean => false;
    return new ReadableStream<Uint8Array>({
      start(controller) {
        const entry = {
          key,
          end(): void {
            if (!leave()) return;
            controller.close();
            source.cancel().catch(() => {});
          },
        };
        leave = () => all.delete(entry);
        all.add(entry);
      },
      async pull(controller) {
        try {
          const { done, value } = await source.read();
          if (!done) {
            sent(value.length);
            controller.enqueue(value);
          } else if (leave()) controller.close();
        } catch (error) {
          // A stream ended here is already closed. Otherwise it was aborted, and the reader must notice that.
          if (leave()) throw error;
        }
      },
      async cancel(reason) {
        leave();
        await source.cancel(reason);
      },
    });
  }

  return {
    get count() {
      return all.size;
    },
    watch(response, key, sent) {
      const { body } = response;
      return body instanceof ReadableStream ? { ...response, body: watched(body.getReader(), key, sent) } : response;
    },
    end(isOver) {
      for (const entry of all) if (isOver(entry.key)) entry.end();
    },
  };
}
