// SPDX-License-Identifier: Apache-2.0
/**
 * Points whose text has changed while their vector stayed. Of each point it is kept which text it had when its vector was first seen: a text that is another one
 * now has no vector of its own, until the vector changes or the text comes back. Case, spaces and punctuation are no part of a text here.
 */
import { hash } from 'node:crypto';

export type WrittenText = { readonly key: number; readonly text: string; readonly vector: Float32Array };

/** As the memory of a scan holds it. */
export type StoredTexts = { readonly member: string; readonly entries: string };

export type StaleTexts = {
  /** Keys of the points. */
  readonly stale: ReadonlySet<number>;
  /** Points of which an earlier scan knows the text, with whatever vector. */
  readonly known: number;
  /** For the next scan. */
  readonly stored: StoredTexts;
};

const WORD = /[\p{L}\p{N}]+/gu;
/** A key of eight bytes and two hashes of four. */
const ENTRY_BYTES = 16;
const HASH_BYTES = 4;
const TEXT_AT = 8;
const VECTOR_AT = TEXT_AT + HASH_BYTES;

/** @param stored of the scan before; what it holds of another member says nothing of this one */
export function staleTexts(member: string, points: readonly WrittenText[], stored: StoredTexts | undefined): StaleTexts {
  const before = stored?.member === member ? read(stored.entries) : new Map<number, Entry>();
  const entries = Buffer.alloc(points.length * ENTRY_BYTES);
  const stale = new Set<number>();
  let known = 0;
  for (const [row, { key, text, vector }] of points.entries()) {
    const now: Entry = { text: hashOf((text.toLowerCase().match(WORD) ?? []).join(' ')), vector: hashOf(vector) };
    const earlier = before.get(key);
    if (earlier !== undefined) known += 1;
    const isOfVector = earlier?.vector === now.vector;
    if (isOfVector && earlier.text !== now.text) stale.add(key);
    entries.writeDoubleLE(key, row * ENTRY_BYTES);
    entries.writeUInt32LE(isOfVector ? earlier.text : now.text, row * ENTRY_BYTES + TEXT_AT);
    entries.writeUInt32LE(now.vector, row * ENTRY_BYTES + VECTOR_AT);
  }
  return { stale, known, stored: { member, entries: entries.toString('base64') } };
}

type Entry = { readonly text: number; readonly vector: number };

function read(entries: string): ReadonlyMap<number, Entry> {
  const bytes = Buffer.from(entries, 'base64');
  return new Map(
    Array.from({ length: Math.floor(bytes.length / ENTRY_BYTES) }, (_, row) => {
      const at = row * ENTRY_BYTES;
      return [bytes.readDoubleLE(at), { text: bytes.readUInt32LE(at + TEXT_AT), vector: bytes.readUInt32LE(at + VECTOR_AT) }] as const;
    }),
  );
}

function hashOf(content: string | Float32Array): number {
  return hash('sha256', content, 'buffer').readUInt32LE(0);
}
