// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { isLongRun, temporaryDirectory } from '@sextant/foundation-testing';
import type { VectorCollectionAccess, VectorPoint } from '@sextant/observability-connectors';
import { SourceError } from '@sextant/observability-connectors/source';
import { afterAll, describe, expect, test } from 'vitest';
import { accessTo, embeddedPoints } from '../../testing/embedded-points.ts';
import { checkVectors } from './check-vectors.ts';
import type { Finding, FindingStatus, VectorReport } from './finding.ts';

const DIMENSION = 32;
const POINTS = 500;
/** One point of fifty is spoilt in each way, some points apart. */
const EVERY = 50;
const FIRST = 7;
const STEP = 3;
/** Where their number is not the point. */
const FEW = 300;

const directory = await temporaryDirectory();
afterAll(() => directory[Symbol.asyncDispose]());

const all = embeddedPoints(seededRandom(11), { count: 2 * POINTS, dimension: DIMENSION });
/** Points of the same topics, and others. */
const good = all.filter(({ id }) => Number(id) % (2 * 10) < 10);
const checked = all.filter(({ id }) => Number(id) % (2 * 10) >= 10);

function check(points: readonly VectorPoint[], against?: readonly VectorPoint[], dimension = DIMENSION): Promise<VectorReport> {
  return checkAccess(accessTo(points, { '': dimension }), against && accessTo(against, { '': DIMENSION }));
}

function checkAccess(access: VectorCollectionAccess, against?: VectorCollectionAccess): Promise<VectorReport> {
  return checkVectors(access, { against, temporaryDirectory: directory.path, signal: new AbortController().signal });
}

function named({ findings }: VectorReport, ...statuses: readonly FindingStatus[]): readonly string[] {
  return findings.filter(({ status }) => statuses.includes(status)).map(({ check: name }) => name);
}

function findingOf({ findings }: VectorReport, name: string): Finding | undefined {
  return findings.find((finding) => finding.check === name);
}

type Vector = readonly (number | null)[];
type Spoil = (vector: Vector, index: number) => Vector;

function spoilt(...changes: readonly Spoil[]): readonly VectorPoint[] {
  return checked.map((point, index) => {
    const change = changes[((index % EVERY) - FIRST) / STEP];
    return change === undefined ? point : { ...point, vectors: { '': change(point.vectors[''] ?? [], index) } };
  });
}

const SPOILT = checked.length / EVERY;

test('good vectors pass each check', async () => {
  const report = await check(checked, good);
  expect(report).toMatchObject({ points: POINTS, dimensions: { '': DIMENSION }, samples: [] });
  expect(report.findings.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(report.findings.length).toBeGreaterThan(14);
});

describe('two points of a hundred fail', () => {
  const ALONE: readonly (readonly [kind: string, name: string, change: Spoil])[] = [
    ['that are zero', 'zero vectors', (vector) => vector.map(() => 0)],
    ['with components that are no numbers', 'components that are not numbers', (vector) => [null, ...vector.slice(1)]],
    ['with infinite components', 'infinite components', (vector) => [Number.POSITIVE_INFINITY, ...vector.slice(1)]],
    ['of one number', 'constant vectors', (vector) => vector.map(() => 0.25)],
    ['that were cut and filled up', 'truncated vectors', (vector) => vector.map((component, at) => (at < 20 ? component : 0))],
    ['of another dimension', 'another dimension', (vector) => vector.slice(1)],
  ];
  const COMPARED: readonly (readonly [kind: string, name: string, change: Spoil])[] = [
    ['with permuted components', 'vectors far from the others', (vector) => vector.map((_, at) => vector[(at * 5 + 3) % DIMENSION] ?? 0)],
    ['five times as long', 'unusual lengths', (vector) => vector.map((component) => 5 * (component ?? 0))],
    ['with components of a few bits', 'rounded components', (vector) => vector.map((component) => Math.round(4 * (component ?? 0)) / 4)],
    ['that repeat another', 'exact duplicates', (_vector, index) => checked[index - 1]?.vectors[''] ?? []],
    [
      'that nearly repeat another',
      'near-duplicates',
      (_vector, index) => (checked[index - 1]?.vectors[''] ?? []).map((component) => 1.001 * (component ?? 0) + 1e-4),
    ],
  ];

  test('of each kind, also where there is nothing to compare with', async () => {
    const points = spoilt(...ALONE.map(([, , change]) => change));
    for (const against of [undefined, good]) {
      const report = await check(points, against);
      for (const [, name] of ALONE) expect(findingOf(report, name), name).toMatchObject({ status: 'failed', found: SPOILT, of: POINTS });
      expect(report.samples.length).toBeGreaterThan(0);
    }
  });

  test('of each kind that is known by what there was before', async () => {
    const report = await check(spoilt(...COMPARED.map(([, , change]) => change)), good);
    expect(named(report, 'failed')).toEqual(expect.arrayContaining(COMPARED.map(([, name]) => name)));
    expect(report.samples.length).toBeGreaterThan(0);
  });

  test.skipIf(!isLongRun()).each([...ALONE, ...COMPARED])('%s, alone', async (_, name, change) => {
    const report = await check(spoilt(change), good);
    expect(named(report, 'failed')).toContain(name);
    expect(report.samples.length).toBeGreaterThan(0);
  });

  test('whose texts were swapped', async () => {
    const texts = checked.map((point, index) =>
      index % EVERY === FIRST ? { ...point, payload: { ...point.payload, text: checked[index + 3]?.payload.text } } : point,
    );
    expect(named(await check(texts, good), 'failed')).toEqual(['texts that do not agree']);
  });

  test('whose texts changed since, where the points are the same', async () => {
    const few = checked.map((point, index) =>
      index % (POINTS / 5) === 7 ? { ...point, payload: { ...point.payload, text: checked[index + 3]?.payload.text } } : point,
    );
    expect(findingOf(await check(few, checked), 'texts that do not agree')).toMatchObject({ status: 'failed', found: 5, of: POINTS });
    const same = checked.slice(0, FEW);
    expect(findingOf(await check(same, same), 'texts that do not agree')).toMatchObject({ status: 'passed' });
  });

  test('that lack a payload member', async () => {
    const lacking = checked
      .slice(0, FEW)
      .map((point, index) => (index % EVERY === FIRST ? { ...point, payload: { text: point.payload.text } } : point));
    const found = { found: FEW / EVERY, of: FEW };
    expect(findingOf(await check(lacking, good.slice(0, FEW)), 'payload member topic')).toMatchObject({ status: 'failed', ...found });
    expect(findingOf(await check(lacking), 'payload member topic')).toMatchObject({ status: 'warned', ...found });
  });
});

test('vectors that are nearly equal come in pairs, so that chance gives more and fewer of them than of single points', async () => {
  const nearly = (point: VectorPoint | undefined) => ({
    '': (point?.vectors[''] ?? []).map((component) => 1.001 * (component ?? 0) + 1e-4),
  });
  const withPairs = (points: readonly VectorPoint[], pairs: number) =>
    points.map((point, index) => (index % 15 === 1 && index < 15 * pairs ? { ...point, vectors: nearly(points[index - 1]) } : point));
  const before = withPairs(good, 6);
  for (const [pairs, status] of [
    [18, 'passed'],
    [30, 'failed'],
  ] as const) {
    expect(findingOf(await check(withPairs(checked, pairs), before), 'near-duplicates')).toMatchObject({ status });
  }
});

test('a lost topic and vectors of another model fail', async () => {
  const without = checked.filter(({ payload }) => payload.topic !== 3);
  expect(named(await check(without, good), 'failed')).toContain('lost topics');
  const others = embeddedPoints(seededRandom(12), { count: POINTS, dimension: DIMENSION });
  expect(named(await check(others, good), 'failed')).toEqual(expect.arrayContaining(['vectors far from the others', 'centroid']));
});

describe('what cannot be checked is said, and passes nowhere', () => {
  const COMPARING = [
    'vectors far from the others',
    'unusual lengths',
    'rounded components',
    'texts that do not agree',
    'lost topics',
    'grown topics',
    'centroid',
  ];

  test('without vectors to compare with', async () => {
    const report = await check(checked);
    expect(named(report, 'not_checked')).toEqual(COMPARING);
    expect(named(report, 'failed', 'warned')).toEqual([]);
  });

  test('with too few of them', async () => {
    expect(named(await check(checked, good.slice(0, 75)), 'not_checked')).toEqual(COMPARING);
    const few = await check(all, good.slice(0, 250));
    expect(findingOf(few, 'centroid')?.detail).toBe(`The vectors to compare with are too few: 250 for ${2 * POINTS} of those checked.`);
  });

  test('where they have another dimension', async () => {
    const shorter = checked.slice(0, FEW).map((point) => ({ ...point, vectors: { '': (point.vectors[''] ?? []).slice(8) } }));
    const report = await check(shorter, good.slice(0, FEW), DIMENSION - 8);
    expect(findingOf(report, 'dimension')).toMatchObject({ status: 'failed', detail: 'Vectors have 24 components; they had 32.' });
    expect(named(report, 'not_checked')).toEqual(COMPARING);
  });

  test('of points without vectors, or without points', async () => {
    const bare = await check(checked.slice(0, FEW).map((point) => ({ ...point, vectors: {} })));
    expect(named(bare, 'passed')).toEqual(['payload members']);
    expect(named(await check([]), 'passed', 'failed')).toEqual([]);
  });
});

test('a name that is gone fails', async () => {
  const both = good.slice(0, FEW).map((point) => ({ ...point, vectors: { ...point.vectors, title: point.vectors[''] ?? [] } }));
  const report = await checkAccess(accessTo(checked.slice(0, FEW), { '': DIMENSION }), accessTo(both, { '': DIMENSION, title: DIMENSION }));
  expect(report.findings.filter(({ status }) => status === 'failed')).toMatchObject([{ check: 'vectors of this name', vector: 'title' }]);
});

describe('the recall of an index', () => {
  const answering = (isExactAlone: boolean): VectorCollectionAccess => ({
    ...accessTo(checked.slice(0, FEW), { '': DIMENSION }),
    nearest: async (searches) =>
      searches.map(({ isExact, limit }) =>
        Array.from({ length: limit }, (_, place) => ({
          id: String(place),
          score: isExact || !isExactAlone || place < 5 ? 1 - place / 100 : 0,
        })),
      ),
  });

  test('that finds all passes, and one that finds half is unusual', async () => {
    expect(findingOf(await checkAccess(answering(false)), 'recall of searches')).toMatchObject({ status: 'passed' });
    const half = findingOf(await checkAccess(answering(true)), 'recall of searches');
    expect(half).toMatchObject({ status: 'warned', detail: expect.stringContaining('Searches find 50.0 % of the 10 nearest') });
  });

  test('that may not be asked is not checked', async () => {
    const refusing: VectorCollectionAccess = {
      ...accessTo(checked.slice(0, FEW), { '': DIMENSION }),
      nearest: () => Promise.reject(new SourceError('strict', { status: 403 })),
    };
    expect(findingOf(await checkAccess(refusing), 'recall of searches')).toMatchObject({ status: 'not_checked' });
  });
});

test('of points of other topics none is said to have come since a scan', async () => {
  const some = checked.filter(({ payload }) => Number(payload.topic) < 3).map((point) => ({ ...point, id: `other ${point.id}` }));
  const { samples } = await check(some, good);
  expect(samples.filter(({ reason }) => /since the last scan/.test(reason))).toEqual([]);
});

test('an aborted check rejects with the reason', async () => {
  const reason = new Error('enough');
  const options = { temporaryDirectory: directory.path, signal: AbortSignal.abort(reason) };
  await expect(checkVectors(accessTo(checked, { '': DIMENSION }), options)).rejects.toBe(reason);
});
