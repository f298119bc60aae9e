/**
 * How many vectors are equal, component for component, to one that came before.
 *
 * Each is represented by 128 bits of its SHA-256. That two different ones of a billion share them has a probability of 1.5e-21 (n^2 / 2^129), and nobody can
 * make them: that is what exact means here. Hashes are dealt out by their first byte into 256 partitions; a partition that fills its
 * buffer goes on in a file. Equal hashes meet in one partition, so counting needs one partition in memory at a time: 16 bytes times a
 * 256th of the vectors, 62 MB for a billion.
 */
import { hash } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

export type DuplicateCounter = AsyncDisposable & {
  readonly add: (components: Float64Array) => Promise<void>;
  /** Vectors less distinct vectors. Nothing may be added after. */
  readonly count: () => Promise<number>;
};

const HASH_BYTES = 16;
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
  const hashesOf = async (number: number, partition: Partition) => {
    const rest = partition.buffer.subarray(0, partition.used);
    return partition.isSpilled ? Buffer.concat([await readFile(await fileOf(number)), rest]) : rest;
  };
  const removeFiles = async () => {
    if (directory !== undefined) await rm(await directory, { recursive: true, force: true });
    directory = undefined;
  };

  return {
    add: async (components) => {
      if (isCounted) throw new Error('duplicateCounter: add after count');
      const digest = hash('sha256', components, 'buffer');
      const number = digest[0] ?? 0;
      const partition = partitions.get(number) ?? { buffer: Buffer.allocUnsafe(bufferBytes), used: 0, isSpilled: false };
      partitions.set(number, partition);
      digest.copy(partition.buffer, partition.used, 0, HASH_BYTES);
      partition.used += HASH_BYTES;
      if (partition.used + HASH_BYTES > bufferBytes) await spill(number, partition);
    },
    count: async () => {
      isCounted = true;
      let duplicates = 0;
      for (const [number, partition] of partitions) duplicates += repeatedIn(await hashesOf(number, partition));
      return duplicates;
    },
    [Symbol.asyncDispose]: removeFiles,
  };
}

/** In order, equal hashes lie side by side. */
function repeatedIn(hashes: Buffer): number {
  const count = hashes.length / HASH_BYTES;
  const order = new Uint32Array(count).map((_, index) => index);
  const hashAt = (index: number) => hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
  order.sort((first, second) => hashAt(first).compare(hashAt(second)));
  let repeated = 0;
  for (let place = 1; place < count; place += 1) {
    if (hashAt(order[place - 1] ?? 0).equals(hashAt(order[place] ?? 0))) repeated += 1;
  }
  return repeated;
}
