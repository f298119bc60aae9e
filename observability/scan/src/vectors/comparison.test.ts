// SPDX-License-Identifier: Apache-2.0
import type { AssetOptions } from '@sextant/contracts-observability';
import { seededRandom } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import type { VectorPoint } from '@sextant/observability-connectors';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessTo, embeddedPoints } from '../testing/embedded-points.ts';
import { profileCollection } from './collection-profile.ts';

const DIMENSION = 48;
const POINTS = 500;
/** So that those which came or went are enough to have a mean. */
const MANY = 1000;

type Profile = Awaited<ReturnType<typeof profileCollection>>;
type Spoil = (point: VectorPoint, vector: readonly number[]) => VectorPoint;

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let healthy: readonly VectorPoint[];
let first: Profile;
let many: readonly VectorPoint[];
let firstOfMany: Profile;

beforeAll(async () => {
  directory = await temporaryDirectory();
  many = embeddedPoints(seededRandom(5), { count: MANY, dimension: DIMENSION });
  healthy = many.slice(0, POINTS);
  first = await profile(healthy);
  firstOfMany = await profile(many);
});
afterAll(() => directory[Symbol.asyncDispose]());

function profile(
  points: readonly VectorPoint[],
  before?: Pick<Profile, 'recentCentroids' | 'vectorReferences'>,
  options: AssetOptions = {},
): Promise<Profile> {
  return profileCollection(accessTo(points, { '': DIMENSION }), {
    options,
    recentCentroids: before?.recentCentroids,
    vectorReferences: before?.vectorReferences,
    temporaryDirectory: directory.path,
    signal: new AbortController().signal,
    onProgress: () => {},
  });
}

function metricOf({ metrics }: Profile, name: string, aggregation?: string): number {
  const found = metrics.find(
    (metric) => metric.metric_name === name && (aggregation === undefined || metric.metric_aggregation === aggregation),
  );
  return found?.value ?? Number.NaN;
}

/** Two points of a hundred. */
function spoilt(change: Spoil, points = healthy): readonly VectorPoint[] {
  return points.map((point) => (Number(point.id) % 50 === 7 ? change(point, (point.vectors[''] ?? []).map(Number)) : point));
}

const SHARES = [
  'VECTOR_FAR_SHARE',
  'VECTOR_NORM_OUTLIER_SHARE',
  'VECTOR_ROUNDED_SHARE',
  'VECTOR_NEAR_DUPLICATE_SHARE',
  'VECTOR_TEXT_MISMATCH_SHARE',
];

test('the first scan makes the reference, and a second of the same points finds what the first did', async () => {
  const second = await profile(healthy, first);
  for (const name of SHARES) {
    expect(metricOf(first, name), name).toBeLessThan(0.5);
    expect(metricOf(second, name), name).toBeCloseTo(metricOf(first, name), 6);
  }
  expect(metricOf(second, 'VECTOR_SAMPLE_COUNT')).toBe(POINTS);
  expect(metricOf(second, 'VECTOR_TEXT_AGREEMENT')).toBeGreaterThan(0.5);
  expect(metricOf(first, 'VECTOR_CELL_SHIFT', 'lost')).toBeNaN();
  expect(metricOf(second, 'VECTOR_CELL_SHIFT', 'lost')).toBeLessThan(0.02);
  expect(second.samples).toEqual([]);
  expect(second.vectorReferences).toEqual(first.vectorReferences);
});

test('permuted dimensions, vectors five times as long and components of a few bits raise their shares, and the points are named', async () => {
  const kinds: readonly (readonly [metric: string, reason: RegExp, change: (vector: readonly number[]) => readonly number[]])[] = [
    ['VECTOR_FAR_SHARE', /farther from the others/, (vector) => vector.map((_, at) => vector[(at * 5 + 3) % DIMENSION] ?? 0)],
    ['VECTOR_NORM_OUTLIER_SHARE', /has the length/, (vector) => vector.map((component) => 5 * component)],
    ['VECTOR_ROUNDED_SHARE', /numbers are rounded/, (vector) => vector.map((component) => Math.round(component * 4) / 4)],
  ];
  const placeOf = (id: string) => Number(id) % 50;
  const points = healthy.map((point) => {
    const [, , change] = kinds[placeOf(point.id) - 7] ?? [];
    return change === undefined ? point : { ...point, vectors: { '': change((point.vectors[''] ?? []).map(Number)) } };
  });
  const found = await profile(points, first);
  for (const [kind, [metric, reason]] of kinds.entries()) {
    expect(metricOf(found, metric), metric).toBeGreaterThan(1.5);
    const named = found.samples.filter((sample) => reason.test(sample.reason));
    expect(named, metric).toHaveLength(10);
    for (const { record_id: id } of named) expect(placeOf(id ?? ''), metric).toBe(7 + kind);
  }
});

test('near copies are counted, and named with the point that they are copies of', async () => {
  const source = (id: number) => healthy[id + 10]?.vectors[''] ?? [];
  const copies = spoilt((point) => ({
    ...point,
    vectors: { '': source(Number(point.id)).map((component) => (component ?? 0) * (1 + 1e-3) + 1e-4) },
  }));
  const found = await profile(copies, first);
  expect(metricOf(found, 'VECTOR_NEAR_DUPLICATE_SHARE')).toBeGreaterThan(2.5);
  const named = found.samples.filter(({ reason }) => reason.includes('is nearly that of point'));
  expect(named.length).toBeGreaterThan(0);
  for (const { record_id: id, reason } of named) {
    const pair = [Number(id), Number(/\d+$/.exec(reason)?.[0])].toSorted((one, other) => one - other);
    expect((pair[1] ?? 0) - (pair[0] ?? 0)).toBe(10);
  }
});

test('copies that came since the last scan are told apart from those that a collection has by nature', async () => {
  const copyOf = (point: VectorPoint, id: number): VectorPoint => {
    const source = healthy[id]?.vectors[''] ?? [];
    return { ...point, vectors: { '': source.map((component) => (component ?? 0) * (1 + 1e-3) + 1e-4) } };
  };
  const habit = healthy.map((point) => (Number(point.id) % 10 === 3 ? copyOf(point, Number(point.id) + 1) : point));
  const before = await profile(habit);
  expect(metricOf(before, 'VECTOR_NEAR_DUPLICATE_SHARE', 'ratio')).toBeGreaterThan(10);
  expect(metricOf(before, 'VECTOR_NEAR_DUPLICATE_SHARE', 'new')).toBeNaN();
  const same = await profile(habit, before);
  expect(metricOf(same, 'VECTOR_NEAR_DUPLICATE_SHARE', 'new')).toBe(0);

  const copies = habit.map((point) => (Number(point.id) % 50 === 7 ? copyOf(point, Number(point.id) + 10) : point));
  const found = await profile(copies, same);
  expect(metricOf(found, 'VECTOR_NEAR_DUPLICATE_SHARE', 'new')).toBeGreaterThan(2.5);
  expect(metricOf(found, 'VECTOR_NEAR_DUPLICATE_SHARE', 'new')).toBeLessThan(5);
  const named = found.samples.filter(({ reason }) => reason.includes('is nearly that of point'));
  expect(named).toHaveLength(10);
  for (const { record_id: id } of named) expect([7, 17, 27, 37, 47]).toContain(Number(id) % 50);
  // They are what the collection has now.
  expect(metricOf(await profile(copies, found), 'VECTOR_NEAR_DUPLICATE_SHARE', 'new')).toBe(0);
});

test('texts that were swapped without their vectors do not agree with them', async () => {
  const found = await profile(
    spoilt((point) => ({ ...point, payload: { ...point.payload, text: healthy[Number(point.id) + 3]?.payload.text } })),
    first,
  );
  // Every fiftieth point is of one topic.
  const reason =
    /^The vector does not say what its text \(payload member text, found\) says; \d+ of \d+ of them have topic = 7, as 10 % of all do$/;
  expect(metricOf(first, 'VECTOR_TEXT_MISMATCH_SHARE', 'stale')).toBeNaN();
  expect(metricOf(found, 'VECTOR_TEXT_MISMATCH_SHARE', 'stale')).toBeCloseTo(2, 6);
  const older =
    /^The vector is older than its text \(payload member text, found\): that has changed, and the vector has not; .* have topic = 7/;
  expect(found.samples.filter((sample) => older.test(sample.reason))).toHaveLength(10);
  expect(metricOf(found, 'VECTOR_TEXT_MISMATCH_SHARE', 'ratio')).toBeGreaterThan(1.5);
  expect(metricOf(found, 'VECTOR_FAR_SHARE')).toBeCloseTo(metricOf(first, 'VECTOR_FAR_SHARE'), 6);
  const named = found.samples.filter((sample) => reason.test(sample.reason));
  for (const { record_id: id } of named) expect(Number(id) % 50).toBe(7);
  expect(named).toHaveLength(10);
});

test('the payload member that a person sets is the text, instead of the one that is found', async () => {
  const random = seededRandom(17);
  const both = healthy.slice(0, 300).map(({ payload, ...point }) => ({
    ...point,
    payload: { ...payload, note: Array.from({ length: 8 }, () => `note${random.integer(100)}`).join(' ') },
  }));
  const memberOf = ({ metrics }: Profile) => metrics.find(({ metric_name: name }) => name === 'VECTOR_TEXT_MEMBER');
  const found = await profile(both);
  expect(memberOf(found)).toMatchObject({ metric_aggregation: 'found:text', attribute: '', value: 100 });
  const set = await profile(both, found, { text_members: { '': 'note' } });
  expect(memberOf(set)).toMatchObject({ metric_aggregation: 'set:note', value: 100 });
  expect(metricOf(set, 'VECTOR_TEXT_AGREEMENT')).toBeLessThan(0.2);
  expect(set.failures).toEqual([]);
  const confirmed = await profile(both, set, { text_members: { '': 'text' } });
  expect(memberOf(confirmed)).toMatchObject({ metric_aggregation: 'set:text' });
  expect(memberOf(await profile(both, confirmed, { text_members: { '': 'text' } }))).toMatchObject({ metric_aggregation: 'set:text' });
  expect(memberOf(await profile(both, confirmed))).toMatchObject({ metric_aggregation: 'found:text' });
});

test.each([
  [
    { '': 'texxt', title: 'text' },
    [
      'options.text_members.: texxt is not a payload member of the sampled points; did you mean text?',
      'options.text_members.title: title is not a vector of the collection; expected the unnamed one',
    ],
  ],
  [{ '': 'topic' }, ['options.text_members.: topic holds no text in the sampled points']],
])('a text member that cannot be followed is no silence: %j', async (text_members, reasons) => {
  const found = await profile(healthy, first, { text_members });
  expect(found.failures.toSorted((one, other) => (one.reason < other.reason ? -1 : 1))).toEqual(
    reasons.map((reason) => ({ monitor_id: 'VECTOR_TEXT_AGREEMENT', reason })),
  );
  expect(metricOf(found, 'VECTOR_FAR_SHARE')).toBeCloseTo(metricOf(first, 'VECTOR_FAR_SHARE'), 6);
});

test('a topic that is lost empties a cell', async () => {
  const found = await profile(
    healthy.filter(({ payload }) => payload.topic !== 4),
    first,
  );
  expect(metricOf(found, 'VECTOR_CELL_SHIFT', 'lost')).toBeGreaterThan(0.1);
});

test('a topic that comes is seen among the vectors that came, and its points are named', async () => {
  const isNew = ({ id }: VectorPoint) => Number(id) % 50 === 7;
  // Of the same topics.
  const others = embeddedPoints(seededRandom(5), { count: 2 * MANY, dimension: DIMENSION }).slice(MANY);
  const exchanged = many.map((point, at) => (Math.floor(at / 10) % 20 === 3 ? { ...point, vectors: others[at]?.vectors ?? {} } : point));
  const chance = await profile(exchanged, firstOfMany);
  expect(metricOf(chance, 'VECTOR_NEW_SHARE')).toBeGreaterThan(4);
  for (const group of ['new', 'gone']) expect(Math.abs(metricOf(chance, 'VECTOR_MEAN_SHIFT', group)), group).toBeLessThan(4);
  // Between two topics that there are, so that it is far from none of the others.
  const centre = (many[1]?.vectors[''] ?? []).map((part, at) => Number(part) + Number(many[2]?.vectors['']?.[at] ?? 0));
  const found = await profile(
    exchanged.map((point, at) =>
      isNew(point)
        ? { ...point, vectors: { '': centre.map((part, axis) => part + 0.3 * Number(others[at]?.vectors['']?.[axis] ?? 0)) } }
        : point,
    ),
    firstOfMany,
  );
  expect(metricOf(found, 'VECTOR_MEAN_SHIFT', 'new')).toBeGreaterThan(4);
  const named = found.samples.filter(({ reason }) => /came since the last scan/.test(reason));
  expect(named).toHaveLength(10);
  for (const { record_id: id } of named) expect(Number(id) % 50).toBe(7);
});

test('vectors that lay elsewhere: repaired, they are no news and change no reference; after five scans they are the reference', async () => {
  const elsewhere = spoilt((point, vector) => ({ ...point, vectors: { '': vector.toReversed() } }), many);
  const shiftOf = (found: Profile) =>
    Math.max(0, ...['new', 'gone'].map((group) => metricOf(found, 'VECTOR_MEAN_SHIFT', group)).filter((shift) => !Number.isNaN(shift)));
  let before = await profile(elsewhere, firstOfMany);
  expect(shiftOf(before)).toBeGreaterThan(4);
  const repaired = await profile(many, before);
  expect(shiftOf(repaired)).toBeLessThan(4);
  expect(repaired.vectorReferences).toEqual(firstOfMany.vectorReferences);
  for (let scan = 1; scan <= 5; scan += 1) {
    if (scan > 1) before = await profile(elsewhere, before);
    expect(metricOf(before, 'VECTOR_FAR_SHARE'), `scan ${scan}`).toBeGreaterThan(1.5);
  }
  const after = await profile(elsewhere, before);
  expect(shiftOf(after)).toBeLessThan(4);
  expect(metricOf(after, 'VECTOR_FAR_SHARE')).toBeLessThan(1);
  expect(after.samples).toEqual([]);
});

test('vectors of one number, and those that end with zeros, are counted and named', async () => {
  const found = await profile(
    spoilt((point, vector) => ({
      ...point,
      vectors: { '': Number(point.id) % 100 === 7 ? vector.map(() => 0.5) : vector.map((component, at) => (at < 30 ? component : 0)) },
    })),
    first,
  );
  expect([metricOf(found, 'VECTOR_CONSTANT_COUNT'), metricOf(found, 'VECTOR_TRUNCATED_COUNT')]).toEqual([POINTS / 100, POINTS / 100]);
  expect(found.samples.filter(({ reason }) => reason === 'The vector has the same number in all components')).toHaveLength(POINTS / 100);
  expect(found.samples.filter(({ reason }) => reason === 'The vector ends with 18 zeros')).toHaveLength(POINTS / 100);
});

test('too few vectors have no reference, and another dimension gets a new one', async () => {
  const few = await profile(healthy.slice(0, 150));
  expect(few.vectorReferences).toEqual({});
  expect(metricOf(few, 'VECTOR_FAR_SHARE')).toBeNaN();
  const stored = first.vectorReferences[''];
  const other = stored && { ...stored, mean: Buffer.from(new Float32Array(7).buffer).toString('base64') };
  const found = await profile(healthy, { recentCentroids: {}, vectorReferences: other === undefined ? {} : { '': other } });
  expect(found.vectorReferences).toEqual(first.vectorReferences);
});
