// SPDX-License-Identifier: Apache-2.0
/** The kernel beside its peers: in process, one thread, on the same vectors. */
import { type DataSet, openDataSet } from '../data-sets/data-set.ts';
import { type EfPoint, efCurves, QUALITY_EF, RECALLS } from '../libraries/ef-curves.ts';
import { KERNEL, KERNEL_OF_BYTES, KERNEL_OF_HALVES, KERNELS, LIBRARIES, type LibraryName } from '../libraries/library.ts';
import { startSubject } from '../libraries/subject.ts';
import { fixed, table, times, whole } from '../markdown.ts';
import type { Scale } from '../scale.ts';
import { rateAtRecall } from '../statistics.ts';
import type { Section } from './section.ts';

const SETS = ['GloVe-100', 'Fashion-MNIST', 'MNIST', 'mixture'] as const;
/** The build whose searches and memory are compared. */
const EF_CONSTRUCT = 128;
/** Recalls this close are one: so much comes from the order in which points are linked, and from which queries are asked. */
const QUALITY_TOLERANCE = 0.01;

type LibraryBuild = {
  readonly efConstruct: number;
  /** Vectors per second of processor time. */
  readonly rate: number;
  readonly bytesPerVector: number;
  readonly curve: readonly EfPoint[];
};

type SetFigures = {
  readonly set: Pick<DataSet, 'name' | 'title' | 'metric'> & {
    readonly points: number;
    readonly dimension: number;
    readonly queries: number;
  };
  readonly libraries: readonly { readonly name: LibraryName; readonly builds: readonly LibraryBuild[] }[];
};

type Figures = { readonly rounds: number; readonly sets: readonly SetFigures[] };

export const libraries: Section<Figures> = {
  title: 'The engine compared with other libraries, in process',
  measure: async (scale) => {
    const sets: SetFigures[] = [];
    for (const name of SETS)
      sets.push(await measureSet(await openDataSet(name, { points: scale.points[name], queries: scale.queries }), scale));
    return { rounds: scale.rounds, sets };
  },
  render: ({ rounds, sets }) =>
    [
      `Each library uses one thread and 16 links per node. Rates use the processor time of the whole process and are medians of ${rounds} interleaved rounds.`,
      `Searches/s at recall@10 are interpolated between the nearest values of ef, for the graph built with ef_construct ${EF_CONSTRUCT}; "-" means that the recall is not`,
      `reached. The quality of a graph is the recall of searches with ef ${QUALITY_EF}. Builds are compared where a library reaches the quality of Sextant's graph, or of the`,
      `best peer if that is lower, within ${QUALITY_TOLERANCE}. Bytes per vector are the growth of the process's resident memory during the build; before it, each library`,
      'builds a graph of a thousand vectors, and all vectors are read into one buffer, so compiled code and garbage are not counted. The figure is unreliable for few vectors.',
      `"${KERNEL}" keeps float32 vectors in memory, like usearch f32, hnswlib-node and zvec. "${KERNEL_OF_HALVES}" uses \`datatype\` \`float16\`, which stores 16 bits for each component, like`,
      `usearch bf16. "${KERNEL_OF_BYTES}" uses \`uint8\`; all components are integers from 0 to 255, so distances are exact. usearch i8 keeps 8 bits. "sextant on disk" is`,
      '"sextant" with `on_disk`: it reads the vectors that it rescores from a file in the page cache.',
      `Each form of Sextant has a row of its own and is compared with the best peer that reaches a recall of ${RECALLS[0]}; indexes with a lower recall are left out.`,
      'Bytes per vector and searches of a row always belong to the same form. usearch i8 scales each vector to length 1, which makes it useless for Euclid.',
      ...sets.flatMap((figures) => ['', renderSet(figures)]),
    ].join('\n'),
};

async function measureSet(set: DataSet, { efConstructs, rounds }: Scale): Promise<SetFigures> {
  const measured = new Map<LibraryName, LibraryBuild[]>();
  for (const efConstruct of efConstructs) {
    await using stack = new AsyncDisposableStack();
    const subjects = [];
    const builds = [];
    for (const name of LIBRARIES) {
      if (name === KERNEL_OF_BYTES && !set.isOfBytes) continue;
      const subject = await startSubject(name, set, { efConstruct });
      if (subject === undefined) continue;
      subjects.push(stack.use(subject));
      console.log(`${set.name}: ${name} builds ${set.points.count} x ${set.points.dimension}, ef_construct ${efConstruct}`);
      builds.push(await subject.build());
    }
    const curves = await efCurves(subjects, set, rounds);
    for (const [index, { name }] of subjects.entries()) {
      const { processorSeconds = Number.NaN, residentBytes = Number.NaN } = builds[index] ?? {};
      const build = {
        efConstruct,
        rate: set.points.count / processorSeconds,
        bytesPerVector: residentBytes / set.points.count,
        curve: curves[index] ?? [],
      };
      measured.set(name, [...(measured.get(name) ?? []), build]);
    }
  }
  const { name, title, metric, points, queries } = set;
  return {
    set: { name, title, metric, points: points.count, dimension: points.dimension, queries: queries.count },
    libraries: Array.from(measured, ([library, builds]) => ({ name: library, builds })),
  };
}

type Column = {
  readonly name: string;
  /** Undefined where the library does not reach the recall. */
  readonly of: (builds: readonly LibraryBuild[]) => number | undefined;
  readonly digits?: number;
  /** Which of the peers' figures is the best; a column without it is not compared. */
  readonly best?: (...values: number[]) => number;
};

/** Rows of libraries, and a last one for each form of Sextant's kernel with its figures in units of the best peer's. */
function renderSet({ set, libraries: measured }: SetFigures): string {
  const own = measured.find(({ name }) => name === KERNEL)?.builds ?? [];
  const isOurs = (name: LibraryName) => KERNELS.some((kernel) => kernel === name);
  const peers = measured.filter(({ name }) => !isOurs(name));
  const columns = columnsOf(
    own,
    peers.map(({ builds }) => builds),
  );
  const rows = measured.map(({ name, builds }) => [
    name,
    ...columns.map(({ of, digits = 0 }) => (digits > 0 ? fixed(of(builds), digits) : whole(of(builds)))),
  ]);
  const rivals = peers.filter(({ builds }) => rateAtRecall(buildOf(builds)?.curve ?? [], RECALLS[0]) !== undefined);
  const ratiosOf = (ours: readonly LibraryBuild[]) =>
    columns.map(({ of, best }) => {
      const figures = rivals.flatMap(({ builds }) => of(builds) ?? []);
      return best === undefined ? '' : times(of(ours), figures.length === 0 ? undefined : best(...figures));
    });
  const ratios = measured.filter(({ name }) => isOurs(name)).map(({ name, builds }) => [`${name} / best peer`, ...ratiosOf(builds)]);
  const description = `**${set.name}**: ${whole(set.points)} x ${set.dimension}, ${set.metric}, ${set.title}; ${whole(set.queries)} queries held out.`;
  return [description, '', table(['', ...columns.map(({ name }) => name)], [...rows, ...ratios])].join('\n');
}

function columnsOf(own: readonly LibraryBuild[], peers: readonly (readonly LibraryBuild[])[]): readonly Column[] {
  const bestOfPeers = Math.max(...peers.map((builds) => qualityOf(buildOf(builds)) ?? 0));
  const quality = Math.min(qualityOf(buildOf(own)) ?? 0, bestOfPeers);
  const rateAtQuality = (builds: readonly LibraryBuild[]) =>
    rateAtRecall(
      builds.map((build) => ({ recall: qualityOf(build) ?? 0, rate: build.rate })),
      quality - QUALITY_TOLERANCE,
    );
  return [
    ...RECALLS.map((recall): Column => {
      return { name: `searches/s @ ${recall}`, of: (builds) => rateAtRecall(buildOf(builds)?.curve ?? [], recall), best: Math.max };
    }),
    { name: `recall, ef ${QUALITY_EF}`, of: (builds) => qualityOf(buildOf(builds)), digits: 4 },
    { name: 'build v/s', of: (builds) => buildOf(builds)?.rate },
    { name: 'at equal quality', of: rateAtQuality, best: Math.max },
    { name: 'bytes/vector', of: (builds) => buildOf(builds)?.bytesPerVector, best: Math.min },
  ];
}

function buildOf(builds: readonly LibraryBuild[]): LibraryBuild | undefined {
  return builds.find(({ efConstruct }) => efConstruct === EF_CONSTRUCT);
}

function qualityOf(build: LibraryBuild | undefined): number | undefined {
  return build?.curve.find(({ ef }) => ef === QUALITY_EF)?.recall ?? build?.curve.at(-1)?.recall;
}
