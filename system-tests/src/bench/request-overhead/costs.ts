// SPDX-License-Identifier: Apache-2.0
/** What a search costs the service apart from the engine, beside `node:http` alone and a framework, on the same bytes in the same rounds. */
import { seededRandom } from '@sextant/foundation-std';
import { encodeRequests, sendLoad } from '../load/http-load.ts';
import { fixed, table } from '../markdown.ts';
import { engineTimer } from './engine-time.ts';
import { PEER_KINDS, startPeer } from './peer.ts';
import { DIMENSIONS, makeVectors } from './requests.ts';
import { startServiceSubject } from './service-subject.ts';
import type { OverheadSubject } from './subject.ts';

export const SEED = 20_260_102;
export const CONNECTIONS = 16;

export type CostOptions = {
  /** For each subject and round. */
  readonly searches: number;
  readonly rounds: number;
  /** Significant digits of each component of a request. */
  readonly digits: number;
};

export type Cost = {
  readonly dimension: number;
  readonly withPayload: boolean;
  /** Microseconds of processor time for each search. */
  readonly engine: number;
  /** The whole service without the engine. */
  readonly service: number;
  readonly peers: readonly { readonly name: string; readonly microseconds: number }[];
};

/** The lowest of the rounds counts, because whatever else the machine does only ever adds processor time. */
export async function measureCosts({ searches, rounds, digits }: CostOptions): Promise<readonly Cost[]> {
  await using stack = new AsyncDisposableStack();
  const vectors = DIMENSIONS.map((dimension) => makeVectors({ dimension, digits, random: seededRandom(SEED) }));
  const service = stack.use(await startServiceSubject(vectors, { threads: 1 }));
  const peers: OverheadSubject[] = [];
  for (const kind of PEER_KINDS) peers.push(stack.use(await startPeer(kind, service.sampleAnswers)));
  const subjects = [service, ...peers];

  const cases = vectors.flatMap((set, position) =>
    [false, true].map((withPayload) => ({
      dimension: set.dimension,
      withPayload,
      requests: set.requests(withPayload),
      engineMicroseconds: engineTimer(set),
      targets: subjects.map((subject) => ({ subject, target: subject.target(position, withPayload) })),
      lowest: ['engine', ...subjects].map(() => Number.POSITIVE_INFINITY),
    })),
  );
  // The first round is not counted: the optimising compiler needs it.
  for (let round = 0; round <= rounds; round++) {
    for (const { requests, engineMicroseconds, targets, lowest } of cases) {
      const costs = [engineMicroseconds()];
      for (const { subject, target } of targets) {
        const before = await subject.cpuMicroseconds();
        await sendLoad(target.port, encodeRequests(target, requests), { length: { requests: searches }, connections: CONNECTIONS });
        costs.push(((await subject.cpuMicroseconds()) - before) / searches);
      }
      if (round > 0) for (const [index, cost] of costs.entries()) lowest[index] = Math.min(lowest[index] ?? cost, cost);
    }
  }
  return cases.map(({ dimension, withPayload, lowest: [engine = Number.NaN, whole = Number.NaN, ...others] }) => ({
    dimension,
    withPayload,
    engine,
    service: whole - engine,
    peers: PEER_KINDS.map((name, index) => ({ name, microseconds: others[index] ?? Number.NaN })),
  }));
}

export function renderCosts(costs: readonly Cost[], { searches, rounds }: Pick<CostOptions, 'searches' | 'rounds'>): string {
  const names = costs[0]?.peers.map(({ name }) => name) ?? [];
  const rows = costs.map(({ dimension, withPayload, engine, service, peers }) => [
    `${dimension}${withPayload ? ', with payload' : ''}`,
    ...[engine, service, ...peers.map(({ microseconds }) => microseconds)].map((cost) => fixed(cost, 1)),
    ...peers.map(({ microseconds }) => fixed(service / microseconds, 2)),
  ]);
  return [
    'Microseconds of processor time per search over keep-alive connections with authentication, limit 10, in a small collection, without the time of the engine, which is',
    `measured separately. Each figure is the lowest of ${rounds} interleaved rounds of ${searches.toLocaleString('en')} searches. The peers return the same bytes without computing them: \`node:http\``,
    'alone, and Fastify with a schema, `JSON.parse` and its serialiser.',
    '',
    table(['dimensions', 'engine', 'service', ...names, ...names.map((name) => `service / ${name}`)], rows),
  ].join('\n');
}
