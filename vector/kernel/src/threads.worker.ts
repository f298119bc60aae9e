// SPDX-License-Identifier: Apache-2.0
/** The threads of threads.test.ts: an indexer and a linker that never rest, and readers that check every answer. */
import { parentPort } from 'node:worker_threads';
import { seededRandom } from '@sextant/foundation-std';
import { attachIndexer, attachLinker, attachReader, type Originals, type VectorSpaceHandle } from './index.ts';
import { referenceDistance } from './reference.ts';

export type Hammer = {
  readonly role: 'indexer' | 'linker' | 'reader';
  readonly seed: number;
  readonly handle: VectorSpaceHandle;
  readonly generations: Int32Array;
  readonly stop: Int32Array;
  /** Where the indexer counts them. */
  readonly repairs?: Int32Array;
  readonly dimension: number;
  /** Whether vectors are released from memory, and readers read originals. */
  readonly isReleased?: boolean;
};

export type HammerReport =
  | { readonly kind: 'indexer' | 'linker'; readonly linked: number }
  | {
      readonly kind: 'reader';
      readonly faults: readonly string[];
      readonly searches: number;
      /** Searches for a row that was live and unchanged from before to after, and how many of them did not find it. */
      readonly wantedLive: number;
      readonly missed: number;
      /** How many of those a graph walk on vectors did not find either: links are the reason, not codes. */
      readonly lost: number;
    }
  | { readonly kind: 'died'; readonly error: Error };

/**
 * Every component of a vector names its row and generation, so that a mixture of two vectors shows. Its size grows with the generation, so
 * that codes are rewritten or given up while readers compare them, but too little for a pool to be full of equal codes.
 */
export function hammerVector(
  row: number,
  generation: number,
  { dimension, isReleased }: Pick<Hammer, 'dimension' | 'isReleased'>,
): Float32Array {
  // Codes that are never replaced would not tell vectors apart that are larger than the first ones.
  const size = isReleased ? 1 : 2 ** ((generation >> 2) % 3);
  return new Float32Array(dimension).fill((((row * 7919 + generation * 104729) % 65521) / 16) * size);
}

/** What the store holds at this moment. */
function originalsOf(hammer: Hammer): Originals {
  const vector = (row: number) => {
    const generation = Atomics.load(hammer.generations, row);
    return generation % 2 === 1 ? hammerVector(row, generation, hammer) : undefined;
  };
  return {
    vector,
    *vectors({ fromRow, toRow }) {
      for (let row = fromRow; row < Math.min(toRow, hammer.generations.length); row++) {
        const stored = vector(row);
        if (stored !== undefined) yield { row, vector: stored };
      }
    },
  };
}

function index({ handle, stop, repairs = new Int32Array(1) }: Hammer): HammerReport {
  const indexer = attachIndexer(handle);
  let linked = 0;
  while (Atomics.load(stop, 0) === 0) {
    linked += indexer.link(50);
    if (indexer.deletedShare() > 0.2 && indexer.repair(500)) Atomics.add(repairs, 0, 1);
    indexer.reclaim();
  }
  return { kind: 'indexer', linked };
}

function linkBeside({ handle, stop }: Hammer): HammerReport {
  const linker = attachLinker(handle);
  let linked = 0;
  while (Atomics.load(stop, 0) === 0) linked += linker.link(50);
  linker.detach();
  return { kind: 'linker', linked };
}

function read(hammer: Hammer): HammerReport {
  const { handle, generations, stop, seed } = hammer;
  const reader = attachReader(handle, originalsOf(hammer));
  const random = seededRandom(seed);
  const faults: string[] = [];
  let searches = 0;
  let wantedLive = 0;
  let missed = 0;
  let lost = 0;
  while (Atomics.load(stop, 0) === 0 && faults.length < 5) {
    const wanted = random.integer(generations.length);
    const before = generations.slice();
    const generation = before[wanted] ?? 0;
    const query = hammerVector(wanted, generation, hammer);
    const { rows, distances } = reader.search(query, { k: 10, ef: 64 });
    const after = generations.slice();
    searches++;
    rows.forEach((row, i) => {
      // A missing original says nothing about the place of its row.
      if (hammer.isReleased && (after[row] ?? 0) % 2 === 0) return;
      const possible = liveGenerations(before[row] ?? 0, after[row] ?? 0).map((g) =>
        referenceDistance('euclid', query, hammerVector(row, g, hammer)),
      );
      if (!possible.includes(distances[i] ?? Number.NaN)) {
        faults.push(`row ${row}, generations ${before[row]} to ${after[row]}: distance ${distances[i]}, possible ${possible}`);
      }
    });
    if (generation % 2 === 1 && after[wanted] === generation) {
      wantedLive++;
      if (!rows.includes(wanted)) {
        missed++;
        const isFound = reader.search(query, { k: 10, ef: 64, rescored: 0 }).rows.includes(wanted);
        if (!isFound && Atomics.load(generations, wanted) === generation) lost++;
      }
    }
    if (new Set(rows).size !== rows.length) faults.push(`a row twice in ${rows}`);
  }
  reader.detach();
  return { kind: 'reader', faults, searches, wantedLive, missed, lost };
}

/** The odd generations that a row may have had between two reads of its counter, which rises before a put and after a removal. */
function liveGenerations(from: number, to: number): number[] {
  const generations: number[] = [];
  for (let generation = from; generation <= to; generation++) if (generation % 2 === 1) generations.push(generation);
  return generations;
}

const roles: Readonly<Record<Hammer['role'], (hammer: Hammer) => HammerReport>> = { indexer: index, linker: linkBeside, reader: read };

/** A thread that dies ends the others: otherwise the writer would wait for ever for rows to become free. */
function reportOf(hammer: Hammer): HammerReport {
  try {
    return roles[hammer.role](hammer);
  } catch (error) {
    Atomics.store(hammer.stop, 0, 1);
    // With its own stack as a message: a printed stack leaves out the frames of the kernel.
    return { kind: 'died', error: new Error(`${hammer.role}: ${error instanceof Error ? error.stack : String(error)}`) };
  }
}

parentPort?.on('message', (hammer: Hammer) => {
  parentPort?.postMessage('ready');
  parentPort?.postMessage(reportOf(hammer));
});
