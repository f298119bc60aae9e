// SPDX-License-Identifier: Apache-2.0
/** What a vector takes in memory by the kind of its codes, with vectors in memory and on disk, and what a search takes then. */
import { systemClock } from '@sextant/foundation-std';
import {
  attachIndexer,
  attachReader,
  type Components,
  createVectorSpace,
  type Datatype,
  type Quantization,
  type SpaceReader,
  type VectorSpaceOptions,
} from '@sextant/vector-kernel';
import { type DataSet, openDataSet, readVectors, vectorAt } from '../data-sets/data-set.ts';
import { openOriginals } from '../data-sets/file-originals.ts';
import { exactAnswers, LIMIT } from '../data-sets/truth.ts';
import { M } from '../libraries/library.ts';
import { fixed, table, whole } from '../markdown.ts';
import { percentile, recallOf } from '../statistics.ts';
import type { Section } from './section.ts';

const SETS = ['GloVe-100', 'Fashion-MNIST', 'mixture'] as const;
/** What the kernel chooses by itself. */
export const CHOSEN = 'as chosen';
type Kind = Quantization | typeof CHOSEN;
const KINDS: readonly Kind[] = [CHOSEN, 'none', 'int8', 'product-x8', 'product-x16', 'binary', 'binary-1.5', 'binary-2'];
const EF_CONSTRUCT = 128;
const EF = 64;
const ROWS_AT_A_TIME = 1000;

type Vectors = NonNullable<VectorSpaceOptions['vectors']>;

export type Form = { readonly kind: Kind; readonly vectors: Vectors; readonly datatype: Datatype };

type BuiltSpace = { readonly space: ReturnType<typeof createVectorSpace>; readonly stored: (vector: Float32Array) => Components };

type FormFigures = Form & {
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
  title: 'Memory by kind of codes',
  measure: async (scale) => {
    const sets: SetFigures[] = [];
    for (const name of SETS) {
      const set = await openDataSet(name, { points: scale.points[name], queries: scale.queries });
      const forms: FormFigures[] = [];
      for (const form of formsOf(set)) {
        console.log(`memory: ${name}, ${form.kind}, vectors of ${form.datatype}, ${form.vectors}`);
        forms.push(await measureForm(set, form, scale.rounds));
      }
      sets.push({ set: name, points: set.points.count, dimension: set.points.dimension, forms });
    }
    return { rounds: scale.rounds, sets };
  },
  render: ({ rounds, sets }) => {
    const rows = sets.flatMap(({ set, points, dimension, forms }) =>
      forms.map(({ kind, vectors, datatype, codes, comparedBytes, bytesPerVector, recall, p50Microseconds }) => [
        `${set}, ${whole(points)} x ${dimension}`,
        codes === 'given up' ? `${kind}, given up` : kind,
        `${vectors === 'kept' ? 'in memory' : 'on disk'}${datatype === 'uint8' ? ', uint8' : ''}`,
        whole(comparedBytes),
        whole(bytesPerVector),
        fixed(recall, 4),
        whole(p50Microseconds),
      ]),
    );
    return [
      `The kernel runs in process with one thread, ef ${EF} and ${2 * M} links per node at level 0. Times are medians of all searches of ${rounds} rounds, by the wall clock. Vectors on disk are read from`,
      `a file in the page cache. "${CHOSEN}" is the default without a configuration: reduced codes if they distinguish neighbours. Bytes per vector count the memory in use: vectors, codes,`,
      'links, and work areas. For small collections on disk, most of it is the memory of the',
      'first vectors before codes are learned (1,000, or 2,048 for reduced codes, or 4,096 for product and binary codes); it is used again and shared by all collections.',
      '"Compared" is the number of bytes of a point that a search reads; `docs/concepts/quantization.md` explains the kinds of codes.',
      '',
      table(['', 'codes', 'vectors', 'compared', 'bytes/vector', `recall@${LIMIT}`, 'p50, us'], rows),
    ].join('\n');
  },
};

/** Without codes, and of bytes, vectors are not released. */
function formsOf({ isOfBytes }: DataSet): Form[] {
  const forms = KINDS.flatMap((kind): Form[] => {
    const kept: Form = { kind, vectors: 'kept', datatype: 'float32' };
    return kind === 'none' ? [kept] : [kept, { ...kept, vectors: 'released' }];
  });
  return isOfBytes ? [...forms, { kind: CHOSEN, vectors: 'kept', datatype: 'uint8' }] : forms;
}

/** A space with all vectors of a set in its graph. */
export async function buildSpace(set: DataSet, form: Form): Promise<BuiltSpace> {
  const { kind, vectors, datatype } = form;
  const { dimension, count } = set.points;
  const metric = set.metric === 'Euclid' ? 'euclid' : 'dot';
  const codeOptions = kind === CHOSEN ? {} : { quantization: kind };
  const space = createVectorSpace({ dimension, metric, datatype, m: M, efConstruct: EF_CONSTRUCT, seed: 1, ...codeOptions, vectors });
  const stored = (vector: Float32Array): Components => (datatype === 'uint8' ? new Uint8Array(vector) : vector);
  const indexer = attachIndexer(space.handle);
  for (let from = 0; from < count; from += ROWS_AT_A_TIME) {
    const to = Math.min(count, from + ROWS_AT_A_TIME);
    const values = await readVectors(set.points, from, to);
    for (let row = from; row < to; row++) space.put(row, stored(vectorAt(values, row - from, dimension)), 1);
    while (indexer.link(ROWS_AT_A_TIME) > 0 || indexer.isCalibrating) indexer.reclaim();
    indexer.reclaim();
  }
  return { space, stored };
}

async function measureForm(set: DataSet, form: Form, rounds: number): Promise<FormFigures> {
  const { space, stored } = await buildSpace(set, form);
  const { codes, comparedBytes } = space;
  using originals = openOriginals(set.points);
  const searches = await search(attachReader(space.handle, originals), set, { rounds, stored });
  return { ...form, codes, comparedBytes, bytesPerVector: space.bytesUsed / set.points.count, ...searches };
}

async function search(
  reader: SpaceReader,
  set: DataSet,
  { rounds, stored }: { readonly rounds: number; readonly stored: (vector: Float32Array) => Components },
) {
  const { count, dimension } = set.queries;
  const queries = await readVectors(set.queries, 0, count);
  const answers: Uint32Array[] = [];
  const times: number[] = [];
  // The first round, in which code is compiled, counts for recall alone.
  for (let round = 0; round <= rounds; round++) {
    for (let query = 0; query < count; query++) {
      const point = stored(vectorAt(queries, query, dimension));
      const started = systemClock.monotonicMs();
      const { rows } = reader.search(point, { k: LIMIT, ef: EF });
      if (round > 0) times.push((systemClock.monotonicMs() - started) * 1000);
      else answers.push(rows);
    }
  }
  return { recall: recallOf(answers, await exactAnswers(set), LIMIT), p50Microseconds: percentile(times, 0.5) };
}
