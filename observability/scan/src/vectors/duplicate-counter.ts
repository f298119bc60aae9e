// SPDX-License-Identifier: Apache-2.0
/**
 * How many vectors are equal, component for component, to one that came before.
 *
 * Each is represented by 128 bits of its SHA-256. That two different ones of a billion share them has a probability of 1.5e-21 (n^2 / 2^129), and nobody can
 * make them: that is what exact means here. Hashes are dealt out by their first byte into 256 partitions; a partition that fills its
 * buffer goes on in a file. Equal hashes meet in one partition, so counting needs one partition in memory at a time: 33 bytes times a
 * 256th of the vectors, 129 MB for a billion. 17 of them are the id of the point, so that a few of the equal ones can be named.
 */
import { hash } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeId, encodeId, ID_BYTES } from './id-bytes.ts';

export type DuplicateCounter = AsyncDisposable & {
  readonly add: (components: Float64Array, id: string) => Promise<void>;
  /** Nothing may be added after. */
  readonly count: () => Promise<Duplicates>;
};

export type Duplicates = {
  /** Vectors less distinct vectors. */
  readonly count: number;
  /** A few of them, each with the point whose vector came first. */
  readonly pairs: readonly { readonly id: string; readonly first: string }[];
};

const HASH_BYTES = 16;
const RECORD_BYTES = HASH_BYTES + ID_BYTES;
const PAIRS_MAX = 10;
/** So that one vector with many copies, such as zero, does not hide the others. */
const PAIRS_OF_ONE_MAX = 3;
const DEFAULT_BUFFER_BYTES = 32 * 1024;

type Partition = { readonly buffer: Buffer; used: number; isSpilled: boolean };

/** Files come to lie in a directory of their own below `temporaryDirectory`, made when the first is needed. */
export function duplicateCounter(temporaryDirectory: string, bufferBytes = DEFAULT_BUFFER_BYTES): DuplicateCounter {
  const partitions = new Map<number, Partition>();
  let directory: Promise<string> | undefined;
  let isCounted = false;

  const fileOf = async (number: number) => {
    directory ??= mkdtemp(join(temporaryDirectory, 'vector-hashes-'));
    return join(await directory, `${number}`);
  };
  const spill = async (number: number, partition: Partition) => {
    await appendFile(await fileOf(number), partition.buffer.subarray(0, partition.used), { mode: 0o600 });
    partition.used = 0;
    partition.isSpilled = true;
  };
  const recordsOf = async (number: number, partition: Partition) => {
    const rest = partition.buffer.subarray(0, partition.used);
    return partition.isSpilled ? Buffer.concat([await readFile(await fileOf(number)), rest]) : rest;
  };
  const removeFiles = async () => {
    if (directory !== undefined) await rm(await directory, { recursive: true, force: true });
    directory = undefined;
  };

  return {
    add: async (components, id) => {
      if (isCounted) throw new Error('duplicateCounter: add after count');
      const digest = hash('sha256', components, 'buffer');
      const number = digest[0] ?? 0;
      const partition = partitions.get(number) ?? { buffer: Buffer.allocUnsafe(bufferBytes), used: 0, isSpilled: false };
      partitions.set(number, partition);
      digest.copy(partition.buffer, partition.used, 0, HASH_BYTES);
      encodeId(id, partition.buffer.subarray(partition.used + HASH_BYTES, partition.used + RECORD_BYTES));
      partition.used += RECORD_BYTES;
      if (partition.used + RECORD_BYTES > bufferBytes) await spill(number, partition);
    },
    count: async () => {
      isCounted = true;
      let count = 0;
      const pairs: { id: string; first: string }[] = [];
      for (const [number, partition] of partitions) {
        count += repeatedIn(await recordsOf(number, partition), (id, first) => {
          if (pairs.length < PAIRS_MAX) pairs.push({ id, first });
        });
      }
      return { count, pairs };
    },
    [Symbol.asyncDispose]: removeFiles,
  };
}

/** In order, equal hashes lie side by side, the first that was added before the others. */
function repeatedIn(records: Buffer, onRepeated: (id: string, first: string) => void): number {
  const count = records.length / RECORD_BYTES;
  const order = new Uint32Array(count).map((_, index) => index);
  const hashAt = (index: number) => records.subarray(index * RECORD_BYTES, index * RECORD_BYTES + HASH_BYTES);
  const idAt = (index: number) => decodeId(records.subarray(index * RECORD_BYTES + HASH_BYTES, (index + 1) * RECORD_BYTES));
  order.sort((one, other) => hashAt(one).compare(hashAt(other)));
  let repeated = 0;
  let first = order[0] ?? 0;
  let copies = 0;
  for (const index of order.subarray(1)) {
    if (hashAt(first).equals(hashAt(index))) {
      repeated += 1;
      copies += 1;
      if (copies > PAIRS_OF_ONE_MAX) continue;
      const [id, firstId] = [idAt(index), idAt(first)];
      if (id !== undefined && firstId !== undefined) onRepeated(id, firstId);
    } else {
      first = index;
      copies = 0;
    }
  }
  return repeated;
}
