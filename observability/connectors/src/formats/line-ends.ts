// SPDX-License-Identifier: Apache-2.0
/** Makes the line ends of delimited text alike: DuckDB reads one kind in a file. */
import { Transform } from 'node:stream';
import type { DelimitedReading } from '../connector.ts';

const LF = 0x0a;
const CR = 0x0d;

/** Leaves out the CR before each LF that ends a row; line ends in quoted values stay as they are. Takes UTF-8. */
export function uniformLineEnds({ separator, quote, escape: mark }: Pick<DelimitedReading, 'separator' | 'quote' | 'escape'>): Transform {
  const [separatorByte, quoteByte, markByte] = [separator, quote, mark].map((character) => Buffer.from(character).at(-1) ?? -1);
  let isQuoted = false;
  let isMarked = false;
  let isFieldStart = true;
  let hasCr = false;
  return new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      const out = Buffer.allocUnsafe(chunk.byteLength + 1);
      let length = 0;
      for (const byte of chunk) {
        if (hasCr && byte !== LF) length = out.writeUInt8(CR, length);
        hasCr = byte === CR && !isQuoted;
        if (!hasCr) length = out.writeUInt8(byte, length);
        if (isMarked) isMarked = false;
        else if (isQuoted && byte === markByte && markByte !== quoteByte) isMarked = true;
        // A doubled quote ends the value and begins it again.
        else if (byte === quoteByte && (isQuoted || isFieldStart)) isQuoted = !isQuoted;
        isFieldStart = !isQuoted && (byte === separatorByte || byte === LF || byte === CR || (byte === quoteByte && isFieldStart));
      }
      done(null, out.subarray(0, length));
    },
    flush: (done) => done(null, hasCr ? Buffer.from([CR]) : Buffer.alloc(0)),
  });
}
