// SPDX-License-Identifier: Apache-2.0
/**
 * Files that only the holder of a key can read or change: AES-256-GCM, piece by piece, so that neither writing nor reading needs more memory than one.
 *
 *   "SXTSEAL1" | salt (32 bytes) | for each piece: ciphertext of up to 1 MiB | tag (16 bytes)
 *
 * Each file has a key of its own, derived from the operator's and the salt (HKDF, RFC 5869), so the nonce may be the number of the piece. The last piece is
 * marked in its nonce: what is cut, put together or in another order does not open. The construction is STREAM (Hoang, Reyhanitabar, Rogaway, Vizár,
 * "Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance", 2015).
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { CommandFailure } from '../failure.ts';

const MAGIC = Buffer.from('SXTSEAL1');
const SALT_BYTES = 32;
const PIECE_BYTES = 1_048_576;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const PURPOSE = 'sextant backup';
const HEAD_BYTES = MAGIC.length + SALT_BYTES;

/** A key of 32 bytes, as they are or as 64 hexadecimal digits, from a file that others may not read. */
export function readKey(file: string): Buffer {
  let content: Buffer;
  try {
    content = readFileSync(file);
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
      throw new CommandFailure('usage', `other users can read the key file ${file}`, { advice: `Run: chmod 600 ${file}` });
    }
  } catch (cause) {
    if (cause instanceof CommandFailure) throw cause;
    throw new CommandFailure('bad_data', `the key file ${file} cannot be read`, { cause });
  }
  const text = content.toString('latin1').trim();
  if (content.length === KEY_BYTES) return content;
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex');
  throw new CommandFailure('bad_data', `the key file ${file} holds no key: expected 32 bytes, or 64 hexadecimal digits`, {
    advice: `Create one with: openssl rand -hex 32 > ${file}`,
  });
}

export async function* sealed(chunks: AsyncIterable<Uint8Array>, key: Buffer): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const fileKey = keyOf(key, salt);
  yield Buffer.concat([MAGIC, salt]);
  let number = 0;
  for await (const { piece, isLast } of piecesOf(chunks, PIECE_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', fileKey, nonceOf(number++, isLast), { authTagLength: TAG_BYTES });
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
  }
}

/** Throws a `CommandFailure` at the first piece that was not written with this key, or not here; what came before it is as it was written. */
export async function* opened(chunks: AsyncIterable<Uint8Array>, key: Buffer, name: string): AsyncGenerator<Buffer> {
  let fileKey: Buffer | undefined;
  let number = 0;
  for await (const { piece, isLast } of piecesOf(chunks, PIECE_BYTES + TAG_BYTES, HEAD_BYTES)) {
    if (fileKey === undefined) {
      if (!piece.subarray(0, MAGIC.length).equals(MAGIC))
        throw new CommandFailure('bad_data', `${name} is not an encrypted file of a backup`);
      fileKey = keyOf(key, piece.subarray(MAGIC.length));
      if (isLast) throw cutShort(name);
      continue;
    }
    if (piece.length < TAG_BYTES) throw cutShort(name);
    const decipher = createDecipheriv('aes-256-gcm', fileKey, nonceOf(number++, isLast), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(piece.subarray(piece.length - TAG_BYTES));
    const plain = decipher.update(piece.subarray(0, piece.length - TAG_BYTES));
    try {
      decipher.final();
    } catch (cause) {
      throw new CommandFailure('bad_data', `${name} cannot be decrypted: it is damaged, or was encrypted with another key`, { cause });
    }
    yield plain;
  }
  if (fileKey === undefined) throw cutShort(name);
}

function cutShort(name: string): CommandFailure {
  return new CommandFailure('bad_data', `${name} is truncated`);
}

function keyOf(key: Buffer, salt: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, PURPOSE, KEY_BYTES));
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt8(isLast ? 1 : 0, 0);
  nonce.writeBigUInt64BE(BigInt(number), NONCE_BYTES - 8);
  return nonce;
}

/** Pieces of one size, but for the first where `firstBytes` says so, and the last, which may be shorter or empty. */
async function* piecesOf(chunks: AsyncIterable<Uint8Array>, bytes: number, firstBytes = bytes) {
  let held: Uint8Array[] = [];
  let length = 0;
  let wanted = firstBytes;
  for await (const chunk of chunks) {
    held.push(chunk);
    length += chunk.length;
    // One byte more than a piece shows that it is not the last.
    while (length > wanted) {
      const all = Buffer.concat(held);
      yield { piece: all.subarray(0, wanted), isLast: false };
      held = [all.subarray(wanted)];
      length -= wanted;
      wanted = bytes;
    }
  }
  yield { piece: Buffer.concat(held), isLast: true };
}
