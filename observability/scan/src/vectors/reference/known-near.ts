// SPDX-License-Identifier: Apache-2.0
/**
 * Which points were nearly equal to another at the scan before. A collection has such pairs by nature (notices, titles, texts that repeat), and there are the same ones day
 * by day: copies of one vector in a hundred are lost among them, but not among those that came since. Of each point a hash of four bytes is kept; of as many
 * as are kept at most, one of 200,000 has that of another by chance.
 */
import { hash } from 'node:crypto';

export type KnownNear = { readonly has: (id: string) => boolean };

const HASH_BYTES = 4;

/** @param stored what `storedNear` made */
export function knownNear(stored: string): KnownNear {
  const bytes = Buffer.from(stored, 'base64');
  const hashes = new Set(Array.from({ length: Math.floor(bytes.length / HASH_BYTES) }, (_, row) => bytes.readUInt32LE(row * HASH_BYTES)));
  return { has: (id) => hashes.has(hashOf(id)) };
}

export function storedNear(ids: readonly string[]): string {
  const bytes = Buffer.alloc(ids.length * HASH_BYTES);
  for (const [row, id] of ids.entries()) bytes.writeUInt32LE(hashOf(id), row * HASH_BYTES);
  return bytes.toString('base64');
}

function hashOf(id: string): number {
  return hash('sha256', `near ${id}`, 'buffer').readUInt32LE(0);
}
