/** What a vector takes in memory by the kind of its codes, with vectors in memory and on disk, and what a search takes then. */
import { closeSync, openSync, readSync } from 'node:fs';
import { systemClock } from '@sextant/foundation-std';
import {
  attachIndexer,
  attachReader,
  createVectorSpace,
  type Originals,
  type Quantization,
  type SpaceReader,
  type VectorSpaceOptions,
} from '@sextant/vector-kernel';
import { type DataSet, openDataSet, readVectors, type VectorFile, vectorAt } from '../data-sets/data-set.ts';
import { exactAnswers, LIMIT } from '../data-sets/truth.ts';
import { M } from '../libraries/library.ts';
import { fixed, table, whole } from '../markdown.ts';
import { percentile, recallOf } from '../statistics.ts';
import type { Section } from './section.ts';

const SETS = ['words', 'fashion', 'mixture'] as const;
const KINDS: readonly Quantization[] = ['none', 'int8', 'bits', 'reduced', 'product-x8', 'product-x16', 'binary', 'binary-1.5', 'binary-2'];
const EF_CONSTRUCT = 128;
const EF = 64;
const ROWS_AT_A_TIME = 1000;

type Vectors = NonNullable<VectorSpaceOptions['vectors']>;

type FormFigures = {
  readonly kind: Quantization;
  readonly vectors: Vectors;
  /** As the kernel says of them; where they do not serve, searches are by the vectors. */
  readonly codes: SpaceReader['codes'];
  readonly comparedBytes: number;
  /** Of the space: vectors, codes, links, and what work on them takes. */
  readonly bytesPerVector: number;
  readonly recall: number;
  /** Of one search, by the wall clock. */
  readonly p50Microseconds: number;
};

type SetFigures = { readonly set: string; readonly points: number; readonly dimension: number; readonly forms: readonly FormFigures[] };
type Figures = { readonly rounds: number; readonly sets: readonly SetFigures[] };

export const memory: Section<Figures> = {
  title: 'Memory, by the kind of codes',
  measure: async (scale) => {
    const sets: SetFigures[] = [];
    for (const name of SETS) {
      const set = await openDataSet(name, { points: scale.points[name], queries: scale.queries });
      const forms: FormFigures[] = [];
      for (const kind of KINDS) {
        for (const vectors of kind === 'none' ? (['kept'] as const) : (['kept', 'released'] as const)) {
          console.log(`memory: ${name}, ${kind}, vectors ${vectors}`);
          forms.push(await measureForm(set, { kind, vectors, rounds: scale.rounds }));
        }
      }
      sets.push({ set: name, points: set.points.count, dimension: set.points.dimension, forms });
    }
    return { rounds: scale.rounds, sets };
  },
  render: ({ rounds, sets }) => {
    const rows = sets.flatMap(({ set, points, dimension, forms }) =>
      forms.map(({ kind, vectors, codes, comparedBytes, bytesPerVector, recall, p50Microseconds }) => [
        `${set}, ${whole(points)} x ${dimension}`,
        codes === 'given up' ? `${kind}, given up` : kind,
        vectors === 'kept' ? 'in memory' : 'on disk',
        whole(comparedBytes),
        whole(bytesPerVector),
        fixed(recall, 4),
        whole(p50Microseconds),
      ]),
    );
    return [
      `The kernel in process, one thread, ef ${EF}, ${2 * M} links per node at level 0; medians of all searches of ${rounds} rounds, by the wall clock. Vectors on disk are read from`,
      'a file that the system has cached. Bytes per vector are those of the space: vectors, codes, links, and the memory of work on them. Of few vectors on disk most is what the',
      'first ones took before codes were learned: a thousand of them, or 4096 where the codes are product or binary; that memory is used again, and shared by all that come.',
      '"Compared" are the bytes of a point that a search walks by; `docs/quantization.md` says what the kinds are.',
      '',
      table(['', 'codes', 'vectors', 'compared', 'bytes/vector', `recall@${LIMIT}`, 'p50, us'], rows),
    ].join('\n');
  },
};

async function measureForm(
  set: DataSet,
  { kind, vectors, rounds }: { readonly kind: Quantization; readonly vectors: Vectors; readonly rounds: number },
): Promise<FormFigures> {
  const { dimension, count } = set.points;
  const metric = set.metric === 'Euclid' ? 'euclid' : 'dot';
  const space = createVectorSpace({ dimension, metric, m: M, efConstruct: EF_CONSTRUCT, seed: 1, quantization: kind, vectors });
  const indexer = attachIndexer(space.handle);
  for (let from = 0; from < count; from += ROWS_AT_A_TIME) {
    const to = Math.min(count, from + ROWS_AT_A_TIME);
    const values = await readVectors(set.points, from, to);
    for (let row = from; row < to; row++) space.put(row, vectorAt(values, row - from, dimension), 1);
    while (indexer.link(ROWS_AT_A_TIME) > 0 || indexer.isCalibrating) indexer.reclaim();
    indexer.reclaim();
  }
  const { codes, comparedBytes } = space;
  const file = openSync(set.points.path, 'r');
  const reader = attachReader(space.handle, originalsIn(file, set.points));
  const searches = await search(reader, set, rounds);
  closeSync(file);
  return { kind, vectors, codes, comparedBytes, bytesPerVector: space.bytesUsed / count, ...searches };
}

async function search(reader: SpaceReader, set: DataSet, rounds: number) {
  const { count, dimension } = set.queries;
  const queries = await readVectors(set.queries, 0, count);
  const answers: Uint32Array[] = [];
  const times: number[] = [];
  // The first round, in which code is compiled, counts for recall alone.
  for (let round = 0; round <= rounds; round++) {
    for (let query = 0; query < count; query++) {
      const started = systemClock.monotonicMs();
      const { rows } = reader.search(vectorAt(queries, query, dimension), { k: LIMIT, ef: EF });
      if (round > 0) times.push((systemClock.monotonicMs() - started) * 1000);
      else answers.push(rows);
    }
  }
  return { recall: recallOf(answers, await exactAnswers(set), LIMIT), p50Microseconds: percentile(times, 0.5) };
}

/** Vectors that a space has released, read one by one from the file that they came from. */
function originalsIn(file: number, { dimension, count }: VectorFile): Originals {
  const vector = new Float32Array(dimension);
  const read = (row: number) => {
    readSync(file, vector, 0, vector.byteLength, row * vector.byteLength);
    return vector;
  };
  return {
    vector: read,
    *vectors({ fromRow, toRow }) {
      for (let row = fromRow; row < Math.min(toRow, count); row++) yield { row, vector: read(row) };
    },
  };
}
