// SPDX-License-Identifier: Apache-2.0
/** What grows with the number of points, and how. */
import { temporaryDirectory } from '@sextant/foundation-testing';
import { type DataSet, openDataSet } from '../data-sets/data-set.ts';
import { type EfPoint, efCurves, QUALITY_EF } from '../libraries/ef-curves.ts';
import { KERNEL } from '../libraries/library.ts';
import { startSubject } from '../libraries/subject.ts';
import { fixed, megabytes, table, whole } from '../markdown.ts';
import { EF_CONSTRUCT, searchBodies, startService, upsertBody } from '../service.ts';
import { rateAtRecall } from '../statistics.ts';
import type { Section } from './section.ts';

const GLOVE_POINTS = 340_479;
const RECALL = 0.95;
const EF = 128;

type SizeFigures = {
  readonly set: DataSet['name'];
  readonly title: string;
  readonly points: number;
  readonly build: { readonly rate: number; readonly bytesPerVector: number };
  readonly curve: readonly EfPoint[];
  readonly service: {
    readonly pointsPerSecond: number;
    readonly startUpSeconds: number;
    /** Undefined where the system does not say. */
    readonly residentBytes: number | undefined;
  };
};

export const growth: Section<readonly SizeFigures[]> = {
  title: 'Growth',
  measure: async (scale) => {
    const sizes: SizeFigures[] = [];
    for (const points of scale.growth) {
      const set = await openDataSet(points > GLOVE_POINTS + 1000 ? 'GloVe-100-noise' : 'GloVe-100', { points, queries: scale.queries });
      console.log(`growth: ${set.points.count} points`);
      sizes.push({
        set: set.name,
        title: set.title,
        points: set.points.count,
        ...(await measureKernel(set, scale.rounds)),
        service: await measureService(set),
      });
    }
    return sizes;
  },
  render: (sizes) => {
    const rows = sizes.map(({ set, points, build, curve, service }) => {
      const rate = rateAtRecall(curve, RECALL);
      const atQualityEf = curve.find(({ ef }) => ef === QUALITY_EF);
      return [
        `${whole(points)} of ${set}`,
        whole(rate),
        fixed(rate && 1e6 / rate, 1),
        fixed(atQualityEf && 1e6 / atQualityEf.rate, 1),
        fixed(atQualityEf?.recall, 4),
        whole(build.rate),
        whole(build.bytesPerVector),
        whole(service.pointsPerSecond),
        fixed(service.startUpSeconds, 2),
        megabytes(service.residentBytes),
      ];
    });
    const header = [
      '',
      `searches/s @ ${RECALL}`,
      'microseconds',
      `with ef ${QUALITY_EF}`,
      `recall, ef ${QUALITY_EF}`,
      'build v/s',
      'bytes/vector',
      'service: points/s',
      'start-up s',
      'resident MB',
    ];
    const titles = new Map(sizes.map(({ set, title }) => [set, title]));
    return [
      `Vectors have 100 dimensions and the distance is Cosine. The first six columns are the kernel in process, with one thread, in processor time, ef_construct ${EF_CONSTRUCT}. The others are the service`,
      'over HTTP by the wall clock: points stored durably and indexed per second, the time from the start of the process until it is ready with the whole graph, and its',
      'resident memory after that and one search.',
      ...Array.from(titles, ([set, title]) => `"${set}" are ${title}.`),
      '',
      table(header, rows),
    ].join('\n');
  },
};

async function measureKernel(set: DataSet, rounds: number): Promise<Pick<SizeFigures, 'build' | 'curve'>> {
  await using subject = await startSubject(KERNEL, set, { efConstruct: EF_CONSTRUCT });
  if (subject === undefined) throw new Error('the kernel is always measured');
  const { processorSeconds, residentBytes } = await subject.build();
  const [curve = []] = await efCurves([subject], set, rounds);
  return { build: { rate: set.points.count / processorSeconds, bytesPerVector: residentBytes / set.points.count }, curve };
}

async function measureService(set: DataSet): Promise<SizeFigures['service']> {
  await using data = await temporaryDirectory();
  let pointsPerSecond = 0;
  {
    await using service = await startService({ directory: data.path });
    const startedMs = performance.now();
    await service.fill(set, (batch) => upsertBody(set.points, batch));
    pointsPerSecond = (set.points.count * 1000) / (performance.now() - startedMs);
  }
  const startedMs = performance.now();
  await using service = await startService({ directory: data.path });
  const startUpSeconds = (performance.now() - startedMs) / 1000;
  const { indexed_vectors_count: indexed } = await service.collection.info();
  if (indexed !== set.points.count) throw new Error(`of ${set.points.count} points ${indexed} are in the graph after a restart`);
  const [body] = await searchBodies(set, EF);
  if (body !== undefined) await service.search(body);
  return { pointsPerSecond, startUpSeconds, residentBytes: await service.residentBytes() };
}
