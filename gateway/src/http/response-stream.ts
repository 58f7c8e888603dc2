import type { Socket } from "node:net";

/** Resolves when a socket accepts more, or has closed. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off("drain", done);
      socket.off("close", done);
      resolve();
    };
    socket.on("drain", done);
    socket.on("close", done);
  });
}

/** Writes one piece of a stream, in one system call. */
function writePiece(socket: Socket, bytes: Uint8Array, isChunked: boolean): void {
  socket.cork();
  if (isChunked) socket.write(`${bytes.length.toString(16)}\r\n`, "latin1");
  socket.write(bytes);
  if (isChunked) socket.write("\r\n", "latin1");
  socket.uncork();
}

/** Writes a stream to its end. A broken stream breaks the connection, and a client that disconnects ends the stream. */
export async function pump(socket: Socket, stream: ReadableStream<Uint8Array>, isChunked: boolean): Promise<void> {
  const reader = stream.getReader();
  const leave = (): void => void reader.cancel().catch(() => {});
  socket.once("close", leave);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || socket.destroyed) break;
      if (value.length > 0) writePiece(socket, value, isChunked);
      if (socket.writableNeedDrain) await drained(socket);
    }
    if (isChunked && !socket.destroyed) socket.write("0\r\n\r\n", "latin1");
  } catch {
    socket.destroy();
  } finally {
    socket.off("close", leave);
    if (socket.destroyed) leave();
  }
}
