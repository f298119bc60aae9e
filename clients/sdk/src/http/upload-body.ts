// SPDX-License-Identifier: Apache-2.0
/** The bytes of an upload, and its progress. */

/** A file of a browser or of `node:fs` (`openAsBlob`), bytes, or a stream of bytes. */
export type UploadBody = Blob | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export type UploadProgress = {
  readonly bytesSent: number;
  /** Null for a stream, whose length is unknown. */
  readonly bytesTotal: number | null;
};

/** The length in bytes, if it is known in advance. */
export function lengthOf(body: UploadBody): number | null {
  if (body instanceof Blob) return body.size;
  return body instanceof Uint8Array ? body.byteLength : null;
}

/** Bytes are handed on in pieces of this size, so that progress is seen. */
const PIECE_BYTES = 65_536;

/** The body as a stream that reports how many bytes have been read from it. It reads nothing ahead. */
export function countedStream(body: UploadBody, onProgress: (progress: UploadProgress) => void): ReadableStream<Uint8Array> {
  const bytesTotal = lengthOf(body);
  const pieces = piecesOf(body);
  let bytesSent = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) return controller.close();
        bytesSent += value.byteLength;
        onProgress({ bytesSent, bytesTotal });
        controller.enqueue(value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

async function* piecesOf(body: UploadBody): AsyncGenerator<Uint8Array, void> {
  if (body instanceof Uint8Array) {
    for (let at = 0; at < body.byteLength; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES);
    return;
  }
  yield* body instanceof Blob ? body.stream() : body;
}
