// SPDX-License-Identifier: Apache-2.0
/** The guard against a model that tracks scopes while it writes a query, and against DuckDB's own binder. */
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ScanError } from '../engine.ts';
import { tenantSelect } from './tenant-select.ts';

/** SQL of one column `v`, and whether each relation that it names is the asset or an expression that its scope shows. */
type Written = { readonly sql: string; readonly isOwn: boolean };
type Write = (visible: readonly string[]) => Written;

const NAMES = ['a', 'b', 'reject_errors', 'asset'];
const name = fc.constantFrom(...NAMES);
const spelled = (text: string): fc.Arbitrary<string> => fc.constantFrom(text, text.toUpperCase(), `"${text}"`);
const relation = name.chain((of) => spelled(of).map((sql) => (visible: readonly string[]) => ({ sql, isOwn: visible.includes(of) })));

function joined(parts: readonly Written[], sql: string): Written {
  return { sql, isOwn: parts.every(({ isOwn }) => isOwn) };
}

const { query } = fc.letrec<{ query: Write; select: Write; body: Write }>((tie) => ({
  query: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('select'),
    fc
      .record({
        recursive: fc.boolean(),
        names: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
        bodies: fc.tuple(tie('query'), tie('query'), tie('query')),
        steps: fc.tuple(relation, relation, relation),
        repeats: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
        last: tie('query'),
      })
      .map(
        ({ recursive, names, bodies, steps, repeats, last }): Write =>
          (visible) => {
            let shown = visible;
            const written: Written[] = [];
            const entries = names.map((own, index) => {
              const body = bodies[index]?.(shown) ?? { sql: '', isOwn: false };
              const isRecursive = recursive && repeats[index] === true;
              written.push(body);
              shown = [...shown, own];
              const step = steps[index]?.(shown) ?? body;
              if (!isRecursive) return `${own}(v) AS (${body.sql})`;
              written.push(step);
              return `${own}(v) AS ((${body.sql}) UNION SELECT s.v FROM ${step.sql} AS s)`;
            });
            const end = last(shown);
            return joined([...written, end], `WITH ${recursive ? 'RECURSIVE ' : ''}${entries.join(', ')} ${end.sql}`);
          },
      ),
    fc.tuple(tie('query'), fc.constantFrom('UNION ALL', 'UNION', 'EXCEPT', 'INTERSECT'), tie('query')).map(
      ([left, operation, right]): Write =>
        (visible) => {
          const [one, other] = [left(visible), right(visible)];
          return joined([one, other], `(${one.sql}) ${operation} (${other.sql})`);
        },
    ),
  ),
  select: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    relation.map(
      (from): Write =>
        (visible) => {
          const one = from(visible);
          return joined([one], `SELECT t.v FROM ${one.sql} AS t`);
        },
    ),
    tie('body'),
  ),
  body: fc.tuple(relation, tie('query'), fc.nat(3)).map(
    ([from, inner, shape]): Write =>
      (visible) => {
        const [one, other] = [from(visible), inner(visible)];
        const shapes = [
          `SELECT t.v FROM ${one.sql} AS t WHERE t.v IN (${other.sql})`,
          `SELECT t.v FROM ${one.sql} AS t, LATERAL (${other.sql}) AS u`,
          `SELECT (SELECT max(v) FROM (${other.sql}) AS m) AS v FROM ${one.sql} AS t`,
          `SELECT t.v FROM ${one.sql} AS t LEFT JOIN (${other.sql}) AS u ON t.v = u.v`,
        ];
        return joined([one, other], shapes[shape] ?? '');
      },
  ),
}));

test('a query passes exactly where each relation that it names is the asset or an expression that its scope shows', async () => {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  await connection.run('CREATE TABLE asset AS SELECT 1 AS v');
  let passed = 0;
  await fc.assert(
    fc.asyncProperty(query, async (write) => {
      const { sql, isOwn } = write(['asset']);
      const outcome = await tenantSelect(connection, sql, 10).catch((error: unknown) => error);
      expect(typeof outcome === 'string', sql).toBe(isOwn);
      if (typeof outcome !== 'string') {
        expect(outcome).toBeInstanceOf(ScanError);
        return;
      }
      passed++;
      // The catalogue holds nothing but the asset: what is bound here names nothing else.
      await connection.run(`EXPLAIN ${outcome}`);
    }),
    { numRuns: 500 },
  );
  expect(passed).toBeGreaterThan(20);
});
