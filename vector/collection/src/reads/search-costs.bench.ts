/**
 * Prints the constants of search-costs.ts as this machine has them: each way of a filtered search is timed on vectors of two lengths, and the
 * difference is divided among what they differ in. Times are the quickest of some rounds, in microseconds.
 *
 *   node vector/collection/src/reads/search-costs.bench.ts
 */
import { seededRandom } from '@sextant/foundation-std';
import { attachIndexer, createVectorSpace, type SpaceReader } from '@sextant/vector-kernel';

const COUNT = 20_000;
const [SHORT, LONG] = [100, 800];
const M = 16;
const EF = 100;
const K = 10;
const QUERIES = 20;
const ROUNDS = 15;
const random = seededRandom(1);

function vector(dimension: number): Float32Array {
  // Of few directions, as real vectors are.
  const lengths = Float32Array.from({ length: 16 }, () => random.next() - 0.5);
  return Float32Array.from({ length: dimension }, (_, index) => (lengths[index % 16] ?? 0) + 0.2 * (random.next() - 0.5));
}

function filterOf(share: number): { readonly filter: Uint32Array; readonly rows: number } {
  const filter = new Uint32Array(COUNT / 32);
  let rows = 0;
  for (let row = 0; row < COUNT; row++) {
    if (random.next() >= share) continue;
    filter[row >>> 5] = (filter[row >>> 5] ?? 0) | (1 << (row & 31));
    rows++;
  }
  return { filter, rows };
}

function quickest(queries: readonly Float32Array[], search: (query: Float32Array) => void): number {
  let sum = 0;
  for (const query of queries) {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round++) {
      const started = performance.now();
      search(query);
      best = Math.min(best, (performance.now() - started) * 1000);
    }
    sum += best;
  }
  return sum / queries.length;
}

const MANY = filterOf(0.5);
const SOME = filterOf(0.1);
const FEW = filterOf(0.01);

function measure(dimension: number) {
  const space = createVectorSpace({ dimension, metric: 'euclid', m: M, efConstruct: 100, seed: 1 });
  const indexer = attachIndexer(space.handle);
  for (let row = 0; row < COUNT; row++) space.put(row, vector(dimension), row);
  while (indexer.link(1000) > 0) indexer.reclaim();
  const queries = Array.from({ length: QUERIES }, () => vector(dimension));
  const all = (look: 'scan' | 'sweep', { filter }: { filter: Uint32Array }) =>
    quickest(queries, (query) => space[look](query, { k: K, fromRow: 0, toRow: COUNT, filter }));
  const walk = ({ filter }: { filter: Uint32Array }) => quickest(queries, (query) => walked(space, query, filter));
  const sweptRow = (all('sweep', SOME) - all('sweep', FEW)) / (SOME.rows - FEW.rows);
  return {
    scannedRow: (all('scan', SOME) - all('scan', FEW)) / (SOME.rows - FEW.rows),
    sweptRow,
    sweep: all('sweep', FEW) - FEW.rows * sweptRow,
    many: walk(MANY) / EF,
    some: walk(SOME) / EF,
  };
}

function walked(reader: SpaceReader, query: Float32Array, filter: Uint32Array): void {
  reader.search(query, { k: K, ef: EF, filter });
}

const short = measure(SHORT);
const long = measure(LONG);
const perComponent = (a: number, b: number) => (b - a) / (LONG - SHORT);
const wanted = 0.75 * 2 * M;
const tested = (short.some - short.many) / (wanted / 0.1 - wanted / 0.5);
const expansion = short.many - tested * (wanted / 0.5);
const expansionLong = long.many - tested * (wanted / 0.5);
const print = (name: string, value: number) => console.log(`${name.padEnd(20)} ${value.toPrecision(2)}`);
for (const [name, a, b] of [
  ['SCANNED', short.scannedRow, long.scannedRow],
  ['SWEPT', short.sweptRow, long.sweptRow],
] as const) {
  print(`${name}_COMPONENT`, perComponent(a, b));
  print(`${name}_ROW`, a - SHORT * perComponent(a, b));
}
print('SWEEP', short.sweep);
print('EXPANSION_COMPONENT', perComponent(expansion, expansionLong));
print('EXPANSION', expansion - SHORT * perComponent(expansion, expansionLong));
print('TESTED_ROW', tested);
