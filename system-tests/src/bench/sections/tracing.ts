// SPDX-License-Identifier: Apache-2.0
/** What traces cost the vector service: a search by how much of it is traced and how that is sent, and a step where nothing is. */
import { seededRandom, traced } from '@sextant/foundation-std';
import { OTLP_PROTOCOLS, otlpReceiver, temporaryDirectory } from '@sextant/foundation-testing';
import { fixed, table, whole } from '../markdown.ts';
import { type BenchService, startService } from '../service.ts';
import { median } from '../statistics.ts';
import type { Section } from './section.ts';

const POINTS = 64;
const DIMENSION = 16;
const SEARCHES = 500;
/** Short ones, so that what else the machine does weighs on all alike. The first, in which code is compiled, does not count. */
const ROUNDS = 61;
const STEPS = 500_000;

type Protocol = (typeof OTLP_PROTOCOLS)[number];
type Case = { readonly name: string; readonly share?: number; readonly protocol?: Protocol };

const CASES: readonly Case[] = [
  { name: 'no receiver' },
  ...OTLP_PROTOCOLS.flatMap((protocol) => [
    { name: 'one request in a hundred traced', share: 0.01, protocol },
    { name: 'every request traced', share: 1, protocol },
  ]),
  // By how much it differs from the first is what the machine makes of equal services.
  { name: 'no receiver, another service' },
];

export type TracingFigures = {
  /** In the order of the cases: processor time of the whole service for one search, by round. */
  readonly cases: readonly { readonly name: string; readonly protocol?: Protocol; readonly microseconds: readonly number[] }[];
  /** Of one awaited call without a step around it, and with one that nobody records. */
  readonly bareNanoseconds: number;
  readonly stepNanoseconds: number;
};

export const tracing: Section<TracingFigures> = {
  title: 'The cost of tracing a search',
  measure: async () => ({ cases: await measureCases(), ...(await measureSteps()) }),
  render: ({ cases, bareNanoseconds, stepNanoseconds }) => {
    const [off] = cases;
    const rows = cases.map(({ name, protocol = '', microseconds }) => {
      // Of each round, against that of the first service in the same round: what else the machine did weighs on both.
      const ratios = microseconds.map((each, round) => each / (off?.microseconds[round] ?? Number.NaN));
      return [
        name,
        protocol,
        whole(median(microseconds)),
        fixed(median(ratios), 2),
        `${fixed(Math.min(...ratios), 2)} to ${fixed(Math.max(...ratios), 2)}`,
      ];
    });
    return [
      `The searches (limit 10, ${POINTS} points, over HTTP, one serving thread) are the cheapest possible, so the share of tracing is the highest. Figures are processor time of the whole service, including export: ${ROUNDS - 1} interleaved rounds of ${whole(SEARCHES)} searches,`,
      'with the median, and the median, minimum and maximum of the ratios to the same round without a receiver.',
      '',
      table(['', 'protocol', 'us of a search', 'ratio', 'ratios'], rows),
      '',
      `Without a receiver, each traceable step reads one variable: an awaited call takes ${fixed(bareNanoseconds, 1)} ns alone and ${fixed(stepNanoseconds, 1)} ns as a step. A search has two of them.`,
    ].join('\n');
  },
};

async function measureCases(): Promise<TracingFigures['cases']> {
  await using stack = new AsyncDisposableStack();
  const bodies = searches();
  const services: BenchService[] = [];
  for (const { share, protocol } of CASES) {
    const directory = stack.use(await temporaryDirectory());
    const receiver = protocol && stack.use(await otlpReceiver(protocol));
    const environment = receiver && {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: String(share),
    };
    const service = stack.use(await startService({ directory: directory.path, threads: 1, ...(environment && { environment }) }));
    await service.collection.create({ vectors: { size: DIMENSION, distance: 'Cosine' } });
    await service.upsert(points());
    services.push(service);
  }
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    console.log(`tracing: round ${round}`);
    const costs: number[] = [];
    for (const service of services) {
      const before = await service.cpuSeconds();
      for (let search = 0; search < SEARCHES; search++) await service.search(bodies[search % bodies.length] ?? Buffer.alloc(0));
      costs.push((((await service.cpuSeconds()) - before) * 1e6) / SEARCHES);
    }
    rounds.push(costs);
  }
  const counted = rounds.slice(1);
  return CASES.map(({ name, protocol }, at) => ({
    name,
    ...(protocol && { protocol }),
    microseconds: counted.map((costs) => costs[at] ?? Number.NaN),
  }));
}

async function measureSteps(): Promise<Pick<TracingFigures, 'bareNanoseconds' | 'stepNanoseconds'>> {
  const facts = { name: 'step' };
  const work = async () => 1;
  const bare: number[] = [];
  const step: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await nanosecondsOf(work));
    step.push(await nanosecondsOf(() => traced(facts, work)));
  }
  return { bareNanoseconds: median(bare.slice(1)), stepNanoseconds: median(step.slice(1)) };
}

async function nanosecondsOf(call: () => Promise<number>): Promise<number> {
  const before = process.cpuUsage();
  for (let at = 0; at < STEPS; at++) await call();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / STEPS;
}

function points(): Buffer {
  const random = seededRandom(1);
  const all = Array.from({ length: POINTS }, (_, id) => ({ id, vector: Array.from({ length: DIMENSION }, () => random.next()) }));
  return Buffer.from(JSON.stringify({ points: all }));
}

function searches(): readonly Buffer[] {
  const random = seededRandom(2);
  return Array.from({ length: 100 }, () =>
    Buffer.from(JSON.stringify({ vector: Array.from({ length: DIMENSION }, () => random.next()), limit: 10 })),
  );
}
