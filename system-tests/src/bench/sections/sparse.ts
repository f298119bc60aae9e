// SPDX-License-Identifier: Apache-2.0
/** Search by words: the engine's lists beside a look at every text and beside a search library in memory. */
import { readdir, stat } from 'node:fs/promises';
import type { SparseVector } from '@sextant/contracts-vector';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { bm25Document, bm25Query, type Engine, openEmbeddedEngine } from '@sextant/vector-collection';
import MiniSearch from 'minisearch';
import { AVERAGE_LENGTH, wordsOf, zipfDocuments } from '../data-sets/zipf-documents.ts';
import { fixed, table, times, whole } from '../markdown.ts';
import { median } from '../statistics.ts';
import type { Section } from './section.ts';

const COLLECTION = 'texts';
const SEED = 20_261_122;
const DOCUMENTS = { quick: 20_000, full: 100_000 } as const;
const QUERIES = 100;
const LIMIT = 10;
const BATCH = 1000;
const SINGLE_WRITES = 50;
const OPTIONS = { language: 'none', avg_len: AVERAGE_LENGTH };
/** Words of a query, and how many in a hundred texts a filter on an indexed field passes. */
const KINDS = [
  { words: 1, passes: 100 },
  { words: 3, passes: 100 },
  { words: 8, passes: 100 },
  { words: 3, passes: 50 },
  { words: 3, passes: 1 },
] as const;

type KindFigures = {
  readonly words: number;
  readonly passes: number;
  /** Of a search, in microseconds of processor time. */
  readonly engine: number;
  readonly naive: number;
  readonly library: number | undefined;
  /** Of the queries, those whose scores are the naive ones. */
  readonly agreement: number;
  readonly components: number;
};

type Figures = {
  readonly documents: number;
  readonly rounds: number;
  readonly kinds: readonly KindFigures[];
  readonly ingest: { readonly documentsPerSecond: number; readonly singleMilliseconds: number; readonly bytesPerDocument: number };
};

export const sparse: Section<Figures> = {
  title: 'Full-text search with sparse vectors',
  measure: async ({ name, rounds, pointsMax = Number.POSITIVE_INFINITY }) => {
    const documents = zipfDocuments(Math.min(DOCUMENTS[name], pointsMax), seededRandom(SEED));
    await using data = await temporaryDirectory();
    const engine = await openEmbeddedEngine({ dataDirectory: data.path, clock: systemClock, random: seededRandom(1) });
    const ingest = await fill(engine, documents, data.path);
    const naive = new NaiveTexts(documents);
    const library = new MiniSearch<{ id: number; text: string }>({ fields: ['text'], autoVacuum: false });
    library.addAll(documents.map((words, id) => ({ id, text: words.join(' ') })));
    const kinds: KindFigures[] = [];
    for (const kind of KINDS) kinds.push(await measureKind(kind, { engine, naive, library, documents, rounds }));
    await engine.close();
    return { documents: documents.length, rounds, kinds, ingest };
  },
  render: ({ documents, rounds, kinds, ingest }) => {
    const header = ['words', 'filter passes', 'engine', 'every text', 'minisearch', 'of minisearch', 'same scores', 'components added'];
    const rows = kinds.map(({ words, passes, engine, naive, library, agreement, components }) => [
      String(words),
      passes === 100 ? '-' : `${passes} %`,
      whole(engine),
      whole(naive),
      whole(library),
      times(engine, library),
      `${fixed(100 * agreement, 1)} %`,
      whole(components),
    ]);
    return [
      `The collection has ${whole(documents)} generated texts of 20 to 100 words with the frequencies of a natural language (seed ${SEED}), BM25 with the modifier idf, limit ${LIMIT}. Times are microseconds of`,
      `processor time per search in process, medians of ${rounds} rounds of ${QUERIES} queries whose words come from one text. "Every text" adds up the weights of every text from flat arrays;`,
      '"same scores" compares with its scores. minisearch 7.2 keeps its index in memory, ranks by BM25+ and returns every matching text, so its scores differ; it has no index for filters.',
      `Durable writes in batches of ${whole(BATCH)} store ${whole(ingest.documentsPerSecond)} texts per second; a single text takes ${fixed(ingest.singleMilliseconds, 1)} ms. On disk a text takes ${whole(ingest.bytesPerDocument)} bytes, including vector and posting lists.`,
      '',
      table(header, rows),
    ].join('\n');
  },
};

async function fill(engine: Engine, documents: readonly (readonly string[])[], directory: string): Promise<Figures['ingest']> {
  await engine.createCollection(COLLECTION, { vectors: {}, sparse_vectors: { words: { modifier: 'idf' } } });
  await engine.createFieldIndex(COLLECTION, 'part', { type: 'integer' });
  const pointOf = (id: number) => ({
    id,
    vector: { words: bm25Document((documents[id] ?? []).join(' '), OPTIONS) },
    payload: { part: id % 100 },
  });
  const startedMs = performance.now();
  for (let from = 0; from < documents.length; from += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, documents.length - from) }, (_, at) => from + at);
    await engine.upsert(COLLECTION, ids.map(pointOf));
  }
  const documentsPerSecond = (documents.length * 1000) / (performance.now() - startedMs);
  const bytesPerDocument = (await bytesBelow(directory)) / documents.length;
  const singleMs = performance.now();
  for (let id = 0; id < SINGLE_WRITES; id++) await engine.upsert(COLLECTION, [pointOf(id)]);
  return { documentsPerSecond, singleMilliseconds: (performance.now() - singleMs) / SINGLE_WRITES, bytesPerDocument };
}

async function bytesBelow(directory: string): Promise<number> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    files.filter((file) => file.isFile()).map(async (file) => (await stat(`${file.parentPath}/${file.name}`)).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

type Subjects = {
  readonly engine: Engine;
  readonly naive: NaiveTexts;
  readonly library: MiniSearch;
  readonly documents: readonly (readonly string[])[];
  readonly rounds: number;
};

async function measureKind({ words, passes }: (typeof KINDS)[number], subjects: Subjects): Promise<KindFigures> {
  const { engine, naive, library, documents, rounds } = subjects;
  const random = seededRandom(SEED + words + passes);
  const queries = Array.from({ length: QUERIES }, () => wordsOf(documents[random.integer(documents.length)] ?? [], words, random));
  const vectors = queries.map((query) => bm25Query(query.join(' '), OPTIONS));
  const filter = passes === 100 ? {} : { filter: { must: { key: 'part', range: { lt: passes } } } };
  const search = (vector: SparseVector) => engine.nearest(COLLECTION, { vector, using: 'words', limit: LIMIT, ...filter });
  const taken = { engine: [] as number[], naive: [] as number[], library: [] as number[] };
  let agreeing = 0;
  for (let round = 0; round < rounds; round++) {
    taken.engine.push(await microseconds(() => each(vectors, search)));
    taken.naive.push(await microseconds(() => void vectors.map((vector) => naive.search(vector, passes))));
    if (passes === 100) taken.library.push(await microseconds(() => void queries.map((query) => library.search(query.join(' ')))));
  }
  for (const vector of vectors) {
    const scores = (await search(vector)).map(({ score }) => score);
    const expected = naive.search(vector, passes);
    agreeing += Number(scores.length === expected.length && scores.every((score, at) => Math.abs(score - (expected[at] ?? 0)) < 1e-4));
  }
  return {
    words,
    passes,
    engine: median(taken.engine),
    naive: median(taken.naive),
    library: passes === 100 ? median(taken.library) : undefined,
    agreement: agreeing / QUERIES,
    components: vectors.reduce((sum, vector) => sum + naive.components(vector), 0) / QUERIES,
  };
}

async function each<Item>(items: readonly Item[], visit: (item: Item) => Promise<unknown>): Promise<void> {
  for (const item of items) await visit(item);
}

/** Of the process, for one of the queries. */
async function microseconds(run: () => Promise<void> | void): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / QUERIES;
}

/** Weights in flat arrays, text by text; every text is looked at. */
class NaiveTexts {
  readonly #numbers = new Map<number, number>();
  readonly #starts: Uint32Array;
  readonly #terms: Uint32Array;
  readonly #values: Float32Array;
  readonly #having: number[] = [];

  constructor(documents: readonly (readonly string[])[]) {
    const vectors = documents.map((words) => bm25Document(words.join(' '), OPTIONS));
    const count = vectors.reduce((sum, { indices }) => sum + indices.length, 0);
    this.#starts = new Uint32Array(vectors.length + 1);
    this.#terms = new Uint32Array(count);
    this.#values = new Float32Array(count);
    let next = 0;
    for (const [id, { indices, values }] of vectors.entries()) {
      for (const [at, index] of indices.entries()) {
        const term = this.#numbers.get(index) ?? this.#numbers.size;
        this.#numbers.set(index, term);
        this.#having[term] = (this.#having[term] ?? 0) + 1;
        this.#terms[next] = term;
        this.#values[next++] = values[at] ?? 0;
      }
      this.#starts[id + 1] = next;
    }
  }

  /** How many components the lists of a query have. */
  components({ indices }: SparseVector): number {
    return indices.reduce((sum, index) => sum + (this.#having[this.#numbers.get(index) ?? -1] ?? 0), 0);
  }

  /** The best scores. */
  search({ indices }: SparseVector, passes: number): readonly number[] {
    const count = this.#starts.length - 1;
    const weights = new Float32Array(this.#numbers.size);
    for (const index of indices) {
      const term = this.#numbers.get(index);
      if (term === undefined) continue;
      const having = this.#having[term] ?? 0;
      weights[term] = Math.log(1 + (count - having + 0.5) / (having + 0.5));
    }
    let best: number[] = [];
    for (let id = 0; id < count; id++) {
      if (id % 100 >= passes) continue;
      let score = 0;
      for (let at = this.#starts[id] ?? 0; at < (this.#starts[id + 1] ?? 0); at++)
        score += (weights[this.#terms[at] ?? 0] ?? 0) * (this.#values[at] ?? 0);
      if (score > 0 && (best.length < LIMIT || score > (best.at(-1) ?? 0))) best = [...best, score].sort((a, b) => b - a).slice(0, LIMIT);
    }
    return best;
  }
}
