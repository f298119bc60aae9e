// SPDX-License-Identifier: Apache-2.0
/**
 * Each statement of a scan fails once: then the scan fails, or it is whole all the same, or it says what is missing. A failure never looks as if
 * nothing had been found.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import type { Engine } from './engine/engine.ts';
import { measure } from './measure.ts';
import { profileRequest } from './scan.conformance.ts';
import type { ScanRequest, ScanResult } from './scan.ts';
import { engineOnThread } from './testing/engine-on-thread.ts';
import { rule, scannedFiles, withoutOrder } from './testing/scanned-files.ts';
import { fileSource } from './testing/table-files.ts';

const FAULT = 'no room is left';
const COLUMNS = ['id', 'city', 'country', 'amount', 'sold_on'];
const PLACES = ['Hamburg,Germany', 'Lyon,France', 'Bilbao,Spain', 'Torino,Italy'];

/** Orders, one of a city that is misspelled; those of Italy have no amount above zero. */
function orders(): string {
  const rows = Array.from({ length: 400 }, (_, row) => {
    const place = row === 9 ? 'Bilbaoo,Spain' : PLACES[row % PLACES.length];
    return `${row},${place},${row % 4 === 3 ? -row : row + 1},2025-01-${String(1 + (row % 28)).padStart(2, '0')}`;
  });
  return `${[COLUMNS.join(','), ...rows].join('\n')}\n`;
}

const metric = (id: string, expression: string, raw_sql = false): ScanRequest['monitors'][number] => ({
  id,
  type: 'METRIC',
  name: id,
  monitor: { expression, raw_sql, options: { ignore_nulls: false } },
});

const ASKED: Partial<ScanRequest> = {
  options: { id_attributes: ['id'], timestamp_attribute: 'sold_on', segments: { country: ['Italy'] }, find_wrong_cells: 'true' },
  monitors: [
    rule('1', 'VALIDATE amount EXPECT NUMERIC_VALUE >= 0'),
    rule('2', 'VALIDATE city EXPECT LENGTH > 3'),
    metric('3', 'max(`amount`)'),
    metric('4', 'avg(`amount`) GROUP BY country'),
    metric('5', 'SELECT sum(amount) FROM asset', true),
  ],
};

test('of more texts than are looked at one by one, the same are looked at, in whatever order rows come', async () => {
  await using files = await scannedFiles();
  await using directory = await temporaryDirectory();
  const texts = `SELECT i AS id, 'u' || hash(i) % 100000000 AS mail, 'x' || i AS hex FROM range(20000) AS r(i)`;
  const measured = async (rows: string, options?: { readonly characterValues: number }) => {
    await using source = await files.parquet(rows);
    await using engine = await engineOnThread(source, directory.path);
    return withoutOrder(await measure(engine, profileRequest(source, ['id', 'mail', 'hex'], {}), () => undefined, options));
  };
  const some = { characterValues: 30_000 };
  const first = await measured(texts, some);
  expect(await measured(`SELECT * FROM (${texts}) ORDER BY hash(id)`, some)).toEqual(first);
  expect(first.metrics.some(({ metric_name }) => metric_name === 'PATTERN')).toBe(true);
  expect((await measured(texts)).metrics, 'all are looked at').not.toEqual(first.metrics);
});

test('a statement that fails is never taken for one that found nothing', async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'orders.csv');
  await writeFile(path, orders());
  await using source = await fileSource(path);
  await using opened = await engineOnThread(source, directory.path, { isNumbered: true });
  const engine = remembering(opened);
  const first = await measure(engine, profileRequest(source, COLUMNS, ASKED), () => undefined);
  const request = profileRequest(source, COLUMNS, { ...ASKED, previous: first.memory });
  const { engine: counted, calls } = failingAt(engine, Number.POSITIVE_INFINITY);
  const whole = await measure(counted, request, () => undefined);
  expect(whole).toMatchObject({ failures: [], omissions: [], cells: { rowsChecked: 400 } });
  expect(whole.ruleCounts[0]?.segments?.length).toBeGreaterThan(0);

  const outcomes = { failed: 0, whole: 0, refused: 0 };
  for (let place = 1; place <= calls(); place += 1) {
    const outcome = await measure(failingAt(engine, place).engine, request, () => undefined).catch((error: unknown) => error);
    if (outcome instanceof Error) {
      expect(outcome.message).toContain(FAULT);
      outcomes.failed += 1;
      continue;
    }
    // It has not failed, so it is a result.
    const result = outcome as ScanResult;
    const said = [...result.failures.map(({ reason }) => reason), ...result.omissions];
    if (said.length === 0) {
      expect(comparable(result), `statement ${place}`).toEqual(comparable(whole));
      outcomes.whole += 1;
    } else {
      for (const sentence of said) expect(sentence).toContain(FAULT);
      outcomes.refused += 1;
    }
  }
  expect(outcomes.failed).toBeGreaterThan(2);
  expect(outcomes.whole).toBeGreaterThan(0);
  expect(outcomes.refused).toBeGreaterThan(5);
}, 120_000);

/** What a statement has answered once, it answers again: the same statements are asked over and over. */
function remembering(engine: Engine): Engine {
  const answers = new Map<string, Promise<never>>();
  const once = <Given extends readonly unknown[], Answer>(name: string, run: (...given: Given) => Promise<Answer>) => {
    return (...given: Given): Promise<Answer> => {
      const key = JSON.stringify([name, ...given]);
      // An answer is kept under the name of what gave it.
      const answer: Promise<Answer> = answers.get(key) ?? run(...given);
      answers.set(key, answer as Promise<never>);
      return answer;
    };
  };
  return replaced(engine, {
    query: once('query', (sql, limit) => engine.query(sql, limit)),
    queryObjects: once('objects', (sql, rows, limit) => engine.queryObjects(sql, rows, limit)),
    queryTenant: once('tenant', (sql, limits) => engine.queryTenant(sql, limits)),
    select: once('select', (where, columns) => engine.select(where, columns)),
  });
}

function replaced(engine: Engine, statements: Partial<Engine>): Engine {
  return {
    dialect: engine.dialect,
    columns: engine.columns,
    relation: engine.relation,
    numberedRelation: engine.numberedRelation,
    keepsTables: engine.keepsTables,
    loaded: engine.loaded,
    query: (sql, limit) => engine.query(sql, limit),
    queryObjects: (sql, rows, limit) => engine.queryObjects(sql, rows, limit),
    queryTenant: (sql, limits) => engine.queryTenant(sql, limits),
    restrict: (restriction) => engine.restrict(restriction),
    select: (where, columns) => engine.select(where, columns),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
    ...statements,
  };
}

/** The engine, but for the statement at that place. */
function failingAt(engine: Engine, place: number) {
  let count = 0;
  const asked = <Given extends readonly unknown[], Answer>(run: (...given: Given) => Promise<Answer>) => {
    return async (...given: Given): Promise<Answer> => {
      count += 1;
      if (count === place) throw new Error(FAULT);
      return run(...given);
    };
  };
  const failing = replaced(engine, {
    query: asked((sql, limit) => engine.query(sql, limit)),
    queryObjects: asked((sql, rows, limit) => engine.queryObjects(sql, rows, limit)),
    queryTenant: asked((sql, limits) => engine.queryTenant(sql, limits)),
    restrict: asked((restriction) => engine.restrict(restriction)),
    select: asked((where, columns) => engine.select(where, columns)),
  });
  return { engine: failing, calls: () => count };
}

/** Metrics come in the order in which they were measured. */
function comparable({ metrics, ...others }: ScanResult) {
  return { ...others, metrics: metrics.map((point) => JSON.stringify(point)).sort() };
}
