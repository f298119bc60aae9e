// SPDX-License-Identifier: Apache-2.0
/**
 * Evaluations per second of typical filters, and how long an index plan takes when 1 %, 10 % and 50 % of 100 000 points match.
 * Run: node vector/collection/src/filter/filter.bench.ts
 */
import type { FieldSchema, Filter, Payload } from '@sextant/contracts-vector';
import { parseJson, seededRandom, stringifyJson, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { createCollectionStorage, type StorageWriter } from '@sextant/vector-storage';
import { postingKeysOf } from '../field-index/entries.ts';
import { planFilter } from '../field-index/plan.ts';
import { type FieldIndex, normaliseFieldSchema } from '../field-index/schema.ts';
import { compileFilter } from './compile.ts';

const POINTS = 100_000;
const BATCH = 1000;
const SHARES = [0.01, 0.1, 0.5];
const SCHEMAS: { readonly [field: string]: FieldSchema } = {
  kind: { type: 'keyword' },
  rank: { type: 'integer' },
  price: { type: 'float' },
  sold: { type: 'datetime' },
  place: { type: 'geo' },
  title: { type: 'text' },
};
const WORDS = ['red', 'blue', 'green', 'old', 'new', 'car', 'boat', 'bike', 'fast', 'slow'];

const random = seededRandom(7);
const indexes = new Map(
  Object.entries(SCHEMAS).map(([field, schema], ordinal): [string, FieldIndex] => [
    field,
    { field, ordinal, schema: normaliseFieldSchema(schema) },
  ]),
);
const payloads = Array.from({ length: POINTS }, (_, row) => payloadOf(row));

function payloadOf(row: number): Payload {
  return {
    kind: `k${row % 100}`,
    rank: row % 1000,
    price: random.next(),
    sold: new Date(1.7e12 + random.next() * 3e10).toISOString(),
    place: { lon: random.next() * 360 - 180, lat: random.next() * 180 - 90 },
    title: Array.from({ length: 8 }, () => WORDS[random.integer(WORDS.length)]).join(' '),
    tags: [`t${row % 7}`, `t${row % 11}`],
  };
}

/** Filters that a share of the points matches. */
function filtersOf(share: number): { readonly [name: string]: Filter } {
  const kinds = Array.from({ length: share * 100 }, (_, kind) => `k${kind}`);
  const until = new Date(1.7e12 + share * 3e10).toISOString();
  const width = 360 * share;
  return {
    'keyword any': { must: { key: 'kind', match: { any: kinds } } },
    'integer range': { must: { key: 'rank', range: { lt: share * 1000 } } },
    'float range': { must: { key: 'price', range: { gte: 0.3, lt: 0.3 + share } } },
    'datetime range': { must: { key: 'sold', range: { lt: until } } },
    'geo box': {
      must: { key: 'place', geo_bounding_box: { top_left: { lon: -170, lat: 90 }, bottom_right: { lon: width - 170, lat: -90 } } },
    },
    'two of three': {
      min_should: {
        min_count: 2,
        conditions: [
          { key: 'rank', range: { lt: share * 1000 } },
          { key: 'price', range: { lt: share } },
          { key: 'kind', match: { any: kinds } },
        ],
      },
    },
  };
}

function elapsedMs(work: () => void): number {
  const start = systemClock.monotonicMs();
  work();
  return systemClock.monotonicMs() - start;
}

function fill(storage: StorageWriter): void {
  for (let from = 0; from < POINTS; from += BATCH) {
    storage.write((transaction) => {
      for (const [offset, payload] of payloads.slice(from, from + BATCH).entries()) {
        const row = from + offset;
        transaction.putPoint(row, { id: row, version: 1, vectorVersion: 1, payload: stringifyJson(payload) });
        for (const key of postingKeysOf(indexes, payload)) transaction.addPosting(key, row);
      }
    });
  }
}

await using directory = await temporaryDirectory();
const storage = createCollectionStorage({ directory: directory.path });
const keysMs = elapsedMs(() => payloads.forEach((payload) => void postingKeysOf(indexes, payload)));
console.log(`posting keys of a payload with ${indexes.size} indexed fields: ${((keysMs / POINTS) * 1000).toFixed(1)} us`);
console.log(
  `${POINTS} points written with ${indexes.size} field indexes: ${Math.round((POINTS / elapsedMs(() => fill(storage))) * 1000)} points/s`,
);
storage.refresh();

const texts = payloads.map((payload) => stringifyJson(payload));
const parseMs = elapsedMs(() => texts.forEach((text) => void parseJson(text)));
console.log(`parsing a payload of ${texts[0]?.length} characters: ${((parseMs / POINTS) * 1000).toFixed(2)} us\n`);

const evaluated: { readonly [name: string]: Filter } = {
  ...filtersOf(0.1),
  'text of two words': { must: { key: 'title', match: { text: 'red car' } } },
  'phrase of two words': { must: { key: 'title', match: { phrase: 'red car' } } },
  'array any': { must: { key: 'tags', match: { any: ['t1', 't3'] } } },
};
console.log('filter'.padEnd(22), 'evaluations/s (parsed payload)');
for (const [name, filter] of Object.entries(evaluated)) {
  const { matches } = compileFilter(filter, (field) => indexes.get(field)?.schema);
  const point = { id: 1, hasVector: () => false };
  const ms = elapsedMs(() => payloads.forEach((payload) => void matches({ ...point, payload })));
  console.log(name.padEnd(22), Math.round((POINTS / ms) * 1000).toLocaleString('en'));
}

console.log('\nindex plan'.padEnd(23), ...SHARES.map((share) => `${share * 100} % ms (rows)`.padStart(20)));
for (const name of Object.keys(filtersOf(1))) {
  const cells = SHARES.map((share) => {
    const compiled = compileFilter(filtersOf(share)[name] ?? {}, (field) => indexes.get(field)?.schema);
    const plan = () => planFilter(compiled, indexes, storage);
    const times = Array.from({ length: 5 }, () => elapsedMs(() => void plan()));
    return `${Math.min(...times).toFixed(2)} (${plan()?.rows.count() ?? 'none'})`.padStart(20);
  });
  console.log(name.padEnd(22), ...cells);
}
storage.close();
