/** In which encoding a text file is, detected from its first bytes, and how it becomes UTF-8. */
import { Transform } from 'node:stream';
import { SourceError } from '../connector.ts';

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/**
 * A byte order mark decides. Without one, text whose every second byte is mostly zero is UTF-16, text that is no UTF-8 is Windows-1252 (which
 * is how browsers read what calls itself Latin-1, https://encoding.spec.whatwg.org/#names-and-labels), and bytes that no text holds are refused.
 */
export function detectEncoding(head: Uint8Array): TextEncoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  // Text of Western scripts has a zero in nearly every unit; a third of them leaves room for others.
  const many = head.length / 6;
  if (odd > many && even * 4 < odd) return 'utf-16le';
  if (even > many && odd * 4 < even) return 'utf-16be';
  if (even + odd > 0)
    throw new SourceError('the file holds zero bytes: it is neither text nor a format that can be read', { member: 'payload.path' });
  return isUtf8Prefix(head) ? 'utf-8' : 'windows-1252';
}

function isUtf8Prefix(head: Uint8Array): boolean {
  try {
    // A stream may end inside a character, as a sample does.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The text of a sample; a character that is cut at its end is left out, and so is a byte order mark. */
export function decodeSample(head: Uint8Array): string {
  return new TextDecoder(detectEncoding(head)).decode(head, { stream: true });
}

/** Turns a stream of bytes in another encoding into UTF-8; characters that are cut between two chunks are kept together. */
export function toUtf8(encoding: TextEncoding): Transform {
  const decoder = new TextDecoder(encoding);
  return new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => done(null, Buffer.from(decoder.decode(chunk, { stream: true }))),
    flush: (done) => done(null, Buffer.from(decoder.decode())),
  });
}
