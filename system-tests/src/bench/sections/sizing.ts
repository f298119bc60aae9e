// SPDX-License-Identifier: Apache-2.0
/** What a collection takes of memory, disk and processor time, by its points, dimensions and codes: what a machine is chosen by. */
import { temporaryDirectory } from '@sextant/foundation-testing';
import { bytesBelow } from '../../bytes-below.ts';
import { type DataSet, type DataSetName, openDataSet } from '../data-sets/data-set.ts';
import { exactAnswers, LIMIT } from '../data-sets/truth.ts';
import { fixed, table, whole } from '../markdown.ts';
import { type BenchService, type CollectionForm, EF_CONSTRUCT, searchBodies, startService, upsertBody } from '../service.ts';
import { type RatePoint, recallOf } from '../statistics.ts';
import { buildSpace, CHOSEN, type Form } from './memory.ts';
import type { Section } from './section.ts';

const SETS = ['mixture-384', 'mixture-768', 'mixture'] as const satisfies readonly DataSetName[];
const RECALL = 0.95;
const EFS = [16, 32, 64, 128, 256, 512];
/** The account of the system has steps of a hundredth of a second: so many searches take some hundred of them. */
const SEARCHES_MIN = 2000;
const EXTRAPOLATED = [1_000_000, 10_000_000];

const FORMS: readonly SizingForm[] = [
  { name: 'as chosen, vectors in memory', kind: CHOSEN },
  { name: 'as chosen, vectors on disk', kind: CHOSEN, onDisk: true },
  { name: 'int8, vectors on disk', kind: 'int8', onDisk: true, quantization_config: { scalar: { type: 'int8' } } },
  { name: 'binary, vectors on disk', kind: 'binary', onDisk: true, quantization_config: { binary: {} } },
];

/** @property kind what the kernel calls the codes */
type SizingForm = CollectionForm & { readonly name: string; readonly kind: Form['kind'] };

export type Measured = {
  readonly points: number;
  readonly dimension: number;
  readonly form: string;
  /** Of vectors, codes and links, by the account of the kernel, which SERVICE_VECTOR_MEMORY_BYTES limits. */
  readonly memoryBytes: number;
  readonly diskBytes: number;
  /** Processor time from the first upsert until all points are in the graph, requests included. */
  readonly buildSeconds: number;
  readonly startUpSeconds: number;
  readonly curve: readonly (RatePoint & { readonly ef: number })[];
};

export type SizingFigures = {
  /** Of the process without a collection. */
  readonly emptyBytes: number | undefined;
  readonly measured: readonly Measured[];
};

export const sizing: Section<SizingFigures> = {
  title: 'Sizing: memory, disk and processor time of a collection',
  measure: async (scale) => {
    const emptyBytes = await emptyServiceBytes();
    const measured: Measured[] = [];
    for (const points of scale.sizing) {
      for (const name of SETS) {
        const set = await openDataSet(name, { points, queries: scale.queries });
        for (const form of FORMS) {
          console.log(`sizing: ${set.points.count} points of ${set.points.dimension} dimensions, ${form.name}`);
          measured.push(await measureForm(set, form));
          console.log(JSON.stringify(measured.at(-1)));
        }
      }
    }
    return { emptyBytes, measured };
  },
  render: ({ emptyBytes, measured }) => {
    const rows = [...measured.map((each) => rowOf(each, 'measured')), ...extrapolated(measured).map((each) => rowOf(each, 'extrapolated'))];
    const header = ['points', '', 'codes', 'memory', 'disk', 'build, core s', 'searches/s of a core', 'recall', 'start-up s', ''];
    return [
      `Each point has one unnamed vector with Cosine and no payload. The vectors are a generated mixture of overlapping clusters; requests are HTTP with JSON, limit ${LIMIT}, ef_construct ${EF_CONSTRUCT}.`,
      'Times are processor time of the whole process, including requests, so other load on the machine matters little: divide the time of a build by the number of serving cores,',
      `and multiply searches per second by it. Searches use the first ef of ${EFS.join(', ')} whose recall@${LIMIT} is ${RECALL} or more.`,
      '',
      `Memory is that of vectors, codes and links as the kernel counts it, which SERVICE_VECTOR_MEMORY_BYTES limits; the process of a service without collections takes another ${gigabytes(emptyBytes)}. With vectors on disk, the system`,
      'needs memory to cache the vectors that searches read, or a fast disk. Disk is the data directory after the build; a snapshot takes the same again. Payloads and field indexes are not included. The recall of',
      'your own vectors may differ; the sections below have other examples.',
      '',
      'Extrapolated rows are not measured. Memory and disk are proportional to the largest measured size, which overestimates them slightly, since a part of both is constant. The costs of building and',
      'searching grow per decade as they do between the two largest measured sizes.',
      '',
      table(header, rows),
    ].join('\n');
  },
};

type Row = Pick<Measured, 'points' | 'dimension' | 'form' | 'memoryBytes' | 'diskBytes' | 'buildSeconds'> & {
  readonly rate: number | undefined;
  readonly startUpSeconds?: number;
};

function rowOf(row: Measured | Row, origin: string): readonly string[] {
  const reached = 'curve' in row ? reachedBy(row) : undefined;
  return [
    whole(row.points),
    `x ${row.dimension}`,
    row.form,
    gigabytes(row.memoryBytes),
    gigabytes(row.diskBytes),
    whole(row.buildSeconds),
    whole('curve' in row ? reached?.rate : row.rate),
    fixed(reached?.recall, 4),
    fixed(row.startUpSeconds, 1),
    origin,
  ];
}

function reachedBy({ curve }: Measured) {
  return curve.find(({ recall }) => recall >= RECALL);
}

/** Larger sizes than were measured, of each dimension and form with two sizes. */
export function extrapolated(measured: SizingFigures['measured']): readonly Row[] {
  const groups = Map.groupBy(measured, ({ dimension, form }) => `${dimension} ${form}`);
  return EXTRAPOLATED.flatMap((points) =>
    [...groups.values()].flatMap((group): Row[] => {
      const [small, large] = group.toSorted((one, other) => one.points - other.points).slice(-2);
      if (small === undefined || large === undefined || large.points >= points) return [];
      const times = points / large.points;
      const decades = Math.log10(times);
      const decadesMeasured = Math.log10(large.points / small.points);
      /** What the cost of one point or search is multiplied by from the large size to this one. */
      const grown = (costOfSmall: number, costOfLarge: number) => Math.max(1, costOfLarge / costOfSmall) ** (decades / decadesMeasured);
      const [rateOfSmall, rateOfLarge] = [reachedBy(small)?.rate, reachedBy(large)?.rate];
      return [
        {
          points,
          dimension: large.dimension,
          form: large.form,
          memoryBytes: large.memoryBytes * times,
          diskBytes: large.diskBytes * times,
          buildSeconds: large.buildSeconds * times * grown(small.buildSeconds / small.points, large.buildSeconds / large.points),
          rate: rateOfSmall === undefined || rateOfLarge === undefined ? undefined : rateOfLarge / grown(1 / rateOfSmall, 1 / rateOfLarge),
        },
      ];
    }),
  );
}

async function emptyServiceBytes(): Promise<number | undefined> {
  await using data = await temporaryDirectory();
  await using service = await startService({ directory: data.path });
  return await service.unbackedBytes();
}

async function measureForm(set: DataSet, { name: form, kind, ...settings }: SizingForm): Promise<Measured> {
  await using data = await temporaryDirectory();
  let buildSeconds = 0;
  {
    await using service = await startService({ directory: data.path });
    const before = await service.cpuSeconds();
    await service.fill(set, (batch) => upsertBody(set.points, batch), settings);
    buildSeconds = (await service.cpuSeconds()) - before;
  }
  const diskBytes = bytesBelow(data.path);
  const startedMs = performance.now();
  await using service = await startService({ directory: data.path });
  const startUpSeconds = (performance.now() - startedMs) / 1000;
  const curve = await curveOf(service, set);
  const { count: points, dimension } = set.points;
  return { points, dimension, form, memoryBytes: await memoryOf(set, kind, settings), diskBytes, buildSeconds, startUpSeconds, curve };
}

async function memoryOf(set: DataSet, kind: Form['kind'], { onDisk = false }: CollectionForm): Promise<number> {
  const { space } = await buildSpace(set, { kind, vectors: onDisk ? 'released' : 'kept', datatype: 'float32' });
  return space.bytesUsed;
}

async function curveOf(service: BenchService, set: DataSet): Promise<Measured['curve']> {
  const truth = await exactAnswers(set);
  const curve: Measured['curve'][number][] = [];
  for (const ef of EFS) {
    const bodies = await searchBodies(set, ef);
    const answers: (readonly number[])[] = [];
    // The first round, in which code is compiled and files are read, counts for recall alone.
    for (const body of bodies) answers.push(await service.search(body));
    const rounds = Math.ceil(SEARCHES_MIN / bodies.length);
    const before = await service.cpuSeconds();
    for (let round = 0; round < rounds; round++) for (const body of bodies) await service.search(body);
    const seconds = (await service.cpuSeconds()) - before;
    curve.push({ ef, recall: recallOf(answers, truth, LIMIT), rate: (rounds * bodies.length) / seconds });
    if ((curve.at(-1)?.recall ?? 0) >= RECALL) break;
  }
  return curve;
}

function gigabytes(bytes: number | undefined): string {
  return bytes === undefined ? '-' : `${(bytes / 1e9).toFixed(2)} GB`;
}
