// SPDX-License-Identifier: Apache-2.0
/** What any engine must do about quantization, as tests over a factory. */
import type { CreateCollection, Distance, PointInput, QuantizationConfig } from '@sextant/contracts-vector';
import { seededRandom } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { type EngineAsked, type EngineUnderTest, untilIndexed } from './engine.conformance.ts';

const DISTANCES: readonly Distance[] = ['Cosine', 'Dot', 'Euclid', 'Manhattan'];
export const KINDS: readonly QuantizationConfig[] = [
  { scalar: { type: 'int8', quantile: 0.99, always_ram: true } },
  { binary: { always_ram: false } },
  { binary: { encoding: 'two_bits', query_encoding: 'scalar8bits' } },
  { product: { compression: 'x8' } },
  { product: { compression: 'x16', always_ram: true } },
];
const SIZE = 24;
/** Codes are learned from a thousand on. */
const POINTS = 1020;
const LIMIT = 10;
const GRAPH_ALWAYS = {
  hnsw_config: { m: 8, ef_construct: 40, full_scan_threshold: 1 },
  optimizers_config: { indexing_threshold: 1 },
} as const;

/** Vectors around twenty centres. */
function draw(count: number, seed: number): number[][] {
  const random = seededRandom(seed);
  const centres = Array.from({ length: 20 }, (_, centre) => Array.from({ length: SIZE }, (_, i) => Math.sin(centre * 31 + i * 7)));
  return Array.from({ length: count }, () => {
    const centre = centres[random.integer(centres.length)] ?? [];
    return centre.map((value) => Math.fround(value + (random.next() - 0.5)));
  });
}

const VECTORS = draw(POINTS, 1);
const QUERIES = draw(6, 2);

async function hits(engine: EngineAsked, collection: string, using: string, vector: number[], params: object) {
  const found = await engine.nearest(collection, { vector, using, limit: LIMIT, params });
  return new Map(found.map(({ id, score }) => [id, score]));
}

/** The share of the true hits that a search finds; its scores have to be the true ones. */
async function recall(engine: EngineAsked, collection: string, using: string, params: object): Promise<number> {
  let common = 0;
  for (const query of QUERIES) {
    const truth = await hits(engine, collection, using, query, { exact: true });
    for (const [id, score] of await hits(engine, collection, using, query, params)) {
      if (!truth.has(id)) continue;
      expect(score).toBe(truth.get(id));
      common++;
    }
  }
  return common / (QUERIES.length * LIMIT);
}

export function describeQuantization(
  name: string,
  open: () => Promise<EngineUnderTest>,
  { kinds = KINDS, distances = DISTANCES }: { readonly kinds?: typeof KINDS; readonly distances?: typeof DISTANCES } = {},
): void {
  /** One vector for each distance. */
  const named: CreateCollection = {
    vectors: Object.fromEntries(distances.map((distance) => [distance, { size: SIZE, distance }])),
    ...GRAPH_ALWAYS,
  };
  const namedPoints = VECTORS.map(
    (vector, id): PointInput => ({ id, vector: Object.fromEntries(distances.map((distance) => [distance, vector])) }),
  );

  describe(`${name}: quantization`, () => {
    test.each(kinds)('by %j finds what the vectors would, with their scores, by distance', async (quantization_config) => {
      await using subject = await open();
      const { engine } = subject;
      await engine.createCollection('a', { ...named, quantization_config });
      await engine.upsert('a', namedPoints);
      await untilIndexed(engine, 'a', POINTS * distances.length);
      const { config, warnings } = await engine.collectionInfo('a');
      expect(config.quantization_config).toEqual(quantization_config);
      const byBytes = { message: expect.stringContaining("so the vector 'Manhattan' uses scalar codes instead") };
      expect(warnings).toEqual('binary' in quantization_config ? [byBytes] : undefined);
      for (const distance of distances) {
        expect(await recall(engine, 'a', distance, { hnsw_ef: 64 }), distance).toBeGreaterThan(0.93);
        expect(await recall(engine, 'a', distance, { hnsw_ef: 64, quantization: { oversampling: 8 } }), distance).toBeGreaterThan(0.95);
        const byCodesAlone = await recall(engine, 'a', distance, { hnsw_ef: 64, quantization: { rescore: false } });
        expect(byCodesAlone, distance).toBeGreaterThan('binary' in quantization_config ? 0.3 : 0.5);
        expect(await recall(engine, 'a', distance, { hnsw_ef: 64, quantization: { ignore: true } }), distance).toBeGreaterThan(0.95);
      }
    });

    test('of a vector of its own comes before that of the collection', async () => {
      await using subject = await open();
      const { engine } = subject;
      const own: QuantizationConfig = { product: { compression: 'x16' } };
      const vectors = {
        own: { size: SIZE, distance: 'Euclid' as const, quantization_config: own },
        other: { size: SIZE, distance: 'Euclid' as const },
      };
      await engine.createCollection('a', { vectors, ...GRAPH_ALWAYS, quantization_config: { scalar: { type: 'int8' } } });
      await engine.upsert(
        'a',
        VECTORS.map((vector, id) => ({ id, vector: { own: vector, other: vector } })),
      );
      await untilIndexed(engine, 'a', POINTS * 2);
      for (const using of Object.keys(vectors)) expect(await recall(engine, 'a', using, { hnsw_ef: 64 })).toBeGreaterThan(0.93);
      expect((await engine.collectionInfo('a')).config.params).toMatchObject({ vectors: { own: { quantization_config: own } } });
    });

    test('changes while the collection is searched and written, and is taken away again', async () => {
      await using subject = await open();
      const { engine } = subject;
      await engine.createCollection('a', { vectors: { size: SIZE, distance: 'Euclid' }, ...GRAPH_ALWAYS });
      const points = VECTORS.map((vector, id) => ({ id, vector }));
      await engine.upsert('a', points.slice(1));
      await untilIndexed(engine, 'a', POINTS - 1);
      let written = 1;
      for (const quantization_config of [...kinds, 'Disabled' as const]) {
        await engine.updateCollection('a', { quantization_config });
        const [first] = points;
        await engine.upsert('a', first ? [{ ...first, payload: { written: written++ } }] : []);
        // At once, while codes and graph are being built.
        expect(await recall(engine, 'a', '', { hnsw_ef: 64 })).toBeGreaterThan(0.93);
        await untilIndexed(engine, 'a', POINTS);
        expect(await recall(engine, 'a', '', { hnsw_ef: 64 })).toBeGreaterThan(0.93);
        const expected = quantization_config === 'Disabled' ? null : quantization_config;
        expect((await engine.collectionInfo('a')).config.quantization_config).toEqual(expected);
      }
    });

    test('that cannot tell neighbours apart is warned of, and the answers stay right', async () => {
      await using subject = await open();
      const { engine } = subject;
      const quantization_config: QuantizationConfig = { scalar: { type: 'int8', quantile: 0.5 } };
      await engine.createCollection('a', { vectors: { size: SIZE, distance: 'Euclid' }, ...GRAPH_ALWAYS, quantization_config });
      // What tells these apart lies beyond what half of the components reach.
      const far = VECTORS.map((vector, id) => ({ id, vector: vector.map((value, i) => (i % 2 === 0 ? 100 + value : value / 1e6)) }));
      await engine.upsert('a', far);
      await untilIndexed(engine, 'a', POINTS);
      const { status, warnings } = await engine.collectionInfo('a');
      expect(status).toBe('green');
      expect(warnings).toEqual([{ message: expect.stringMatching(/^quantization_config\.scalar: these codes cannot distinguish/) }]);
      for (const point of far.slice(0, 20)) {
        expect((await engine.nearest('a', { vector: point.vector, limit: 1 })).map(({ id }) => id)).toEqual([point.id]);
      }
    });

    test('is kept over a restart', async ({ skip }) => {
      await using subject = await open();
      skip(subject.reopen === undefined, 'this engine keeps nothing');
      const quantization_config: QuantizationConfig = { product: { compression: 'x16' } };
      await subject.engine.createCollection('a', {
        vectors: { size: SIZE, distance: 'Cosine' },
        ...GRAPH_ALWAYS,
        quantization_config,
      });
      await subject.engine.upsert(
        'a',
        VECTORS.map((vector, id) => ({ id, vector })),
      );
      await untilIndexed(subject.engine, 'a', POINTS);
      await subject.reopen?.();
      const info = await subject.engine.collectionInfo('a');
      expect(info).toMatchObject({ indexed_vectors_count: POINTS, config: { quantization_config } });
      expect(await recall(subject.engine, 'a', '', { hnsw_ef: 64 })).toBeGreaterThan(0.93);
    });
  });
}
