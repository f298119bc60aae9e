// SPDX-License-Identifier: Apache-2.0
/** Lines of a byte stream, with a bound: a file without line ends must not fill the memory. */
import type { Readable } from 'node:stream';

/** A point of 65,536 components takes about 1.3 MB. */
export const LINE_BYTES_MAX = 64 * 1024 * 1024;

export class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError';
}

const LINE_FEED = 0x0a;

/** Each line without its end. A last line needs none. */
export async function* linesOf(stream: Readable, bytesMax = LINE_BYTES_MAX): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let partBytes = 0;
  // A binary stream without an encoding gives buffers.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const piece = chunk.subarray(start, end);
      yield parts.length === 0 ? piece : Buffer.concat([...parts, piece]);
      parts = [];
      partBytes = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    parts.push(chunk.subarray(start));
    partBytes += chunk.length - start;
    if (partBytes > bytesMax) throw new LineTooLongError(`a line is longer than ${bytesMax} bytes`);
  }
  if (partBytes > 0) yield Buffer.concat(parts);
}
