import type { HttpResponse } from "../http/message.ts";

/** The responses that go on until somebody ends them. */
export interface OpenStreams<T> {
  readonly count: number;
  /** The response with its body watched; `key` says what it was opened with. One without a stream comes back as it is. */
  watch(response: HttpResponse, key: T): HttpResponse;
  /** Ends those for which `isOver` holds, as if the server had no more to say. */
  end(isOver: (key: T) => boolean): void;
}

interface Entry<T> {
  readonly key: T;
  end(): void;
}

export function createOpenStreams<T>(): OpenStreams<T> {
  const all = new Set<Entry<T>>();

  function watched(source: ReadableStreamDefaultReader<Uint8Array>, key: T): ReadableStream<Uint8Array> {
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
          if (!done) controller.enqueue(value);
          else if (leave()) controller.close();
        } catch (error) {
          // Ended here, it is closed already; otherwise it was broken off, and whoever reads must see that.
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
    watch(response, key) {
      const { body } = response;
      return body instanceof ReadableStream ? { ...response, body: watched(body.getReader(), key) } : response;
    },
    end(isOver) {
      for (const entry of all) if (isOver(entry.key)) entry.end();
    },
  };
}
