// SPDX-License-Identifier: Apache-2.0
import type { Filter, PointId, UpdateMode } from '@sextant/contracts-vector';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';
import type { Engine } from '../engine.ts';

const RUNS = roundsOf({ quick: 25, long: 1500 });

const IDS = 6;
const LEVELS = 3;

type Stored = { readonly vector: readonly number[]; readonly payload: { readonly level: number } };
type Command =
  | {
      readonly kind: 'upsert';
      readonly ids: readonly number[];
      readonly level: number;
      readonly mode: UpdateMode;
      readonly passing?: number;
    }
  | { readonly kind: 'vectors'; readonly ids: readonly number[]; readonly passing?: number }
  | { readonly kind: 'delete'; readonly id: number }
  | { readonly kind: 'index'; readonly isThere: boolean };

let scratch: Awaited<ReturnType<typeof temporaryDirectory>>;
let engine: Engine;

beforeAll(async () => {
  scratch = await temporaryDirectory();
  engine = await openEmbeddedEngine({ dataDirectory: scratch.path, clock: systemClock, random: seededRandom(1) });
});

afterAll(async () => {
  await engine.close();
  await scratch[Symbol.asyncDispose]();
});

/** An id may be there more than once. */
const ids = fc.array(fc.nat(IDS - 1), { minLength: 1, maxLength: 4 });
const passing = fc.option(fc.nat(LEVELS), { nil: undefined }).map((level) => (level === undefined ? {} : { passing: level }));
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(ids, fc.nat(LEVELS), fc.constantFrom('upsert' as const, 'insert_only' as const, 'update_only' as const), passing)
      .map(([written, level, mode, filter]): Command => ({ kind: 'upsert', ids: written, level, mode, ...filter })),
  },
  { weight: 2, arbitrary: fc.tuple(ids, passing).map(([written, filter]): Command => ({ kind: 'vectors', ids: written, ...filter })) },
  { weight: 1, arbitrary: fc.nat(IDS - 1).map((id): Command => ({ kind: 'delete', id })) },
  { weight: 1, arbitrary: fc.boolean().map((isThere): Command => ({ kind: 'index', isThere })) },
);

const below = (level: number): Filter => ({ must: { key: 'level', range: { lt: level } } });
const matches = ({ payload }: Stored, level: number | undefined) => level === undefined || payload.level < level;

test('conditional writes leave the same points as a naive reading of their conditions', async () => {
  let passedOver = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 12 }), async (commands) => {
      await engine.createCollection('c', { vectors: { size: 1, distance: 'Dot' } });
      const model = new Map<PointId, Stored>();
      try {
        for (const [number, each] of commands.entries()) passedOver += await run(each, number, model);
        const { points } = await engine.scroll('c', { limit: 100, with_vector: true, with_payload: true });
        const expected = [...model].sort(([a], [b]) => Number(a) - Number(b));
        expect(points.map(({ id, vector, payload }) => [id, { vector, payload }])).toEqual(expected);
        // What searches see is what is stored.
        const hits = await engine.nearest('c', { vector: [1], limit: 100 });
        expect(new Map(hits.map(({ id, score }) => [id, score]))).toEqual(new Map(expected.map(([id, { vector }]) => [id, vector[0]])));
      } finally {
        await engine.deleteCollection('c');
      }
    }),
    { numRuns: RUNS },
  );
  expect(passedOver, 'enough points are passed over for the test to mean something').toBeGreaterThan(RUNS * 2);
});

/** @returns how many points the condition left out */
async function run(each: Command, number: number, model: Map<PointId, Stored>): Promise<number> {
  switch (each.kind) {
    case 'upsert': {
      const point = { vector: [number + 1], payload: { level: each.level } };
      const condition = { mode: each.mode, ...(each.passing === undefined ? {} : { filter: below(each.passing) }) };
      await engine.upsert(
        'c',
        each.ids.map((id) => ({ id, ...point })),
        condition,
      );
      const written = each.ids.filter((id) => {
        const stored = model.get(id);
        if (stored === undefined) return each.mode !== 'update_only';
        return each.mode !== 'insert_only' && matches(stored, each.passing);
      });
      for (const id of written) model.set(id, point);
      return each.ids.length - written.length;
    }
    case 'vectors': {
      const vector = [number + 1];
      const filter = each.passing === undefined ? undefined : below(each.passing);
      const update = engine.updateVectors(
        'c',
        each.ids.map((id) => ({ id, vector })),
        filter,
      );
      if (each.ids.some((id) => !model.has(id))) {
        await expect(update).rejects.toMatchObject({ code: 'point_not_found' });
        return 0;
      }
      await update;
      let left = 0;
      for (const id of each.ids) {
        const stored = model.get(id);
        if (stored !== undefined && matches(stored, each.passing)) model.set(id, { ...stored, vector });
        else left++;
      }
      return left;
    }
    case 'delete':
      await engine.deletePoints('c', { points: [each.id] });
      model.delete(each.id);
      return 0;
    case 'index':
      if (each.isThere) await engine.createFieldIndex('c', 'level', { type: 'integer' });
      else await engine.deleteFieldIndex('c', 'level');
      return 0;
  }
}
