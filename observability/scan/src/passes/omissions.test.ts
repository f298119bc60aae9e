// SPDX-License-Identifier: Apache-2.0
/** What explains the figures may fail where the figures do not: then a sentence says so, and nothing is taken for not found. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import type { OpenedSource } from '@sextant/observability-connectors';
import { expect, test } from 'vitest';
import type { RuleCheck } from '../checks.ts';
import type { Engine } from '../engine/engine.ts';
import { measure } from '../measure.ts';
import { PointCollector } from '../points.ts';
import { profileRequest } from '../scan.conformance.ts';
import { engineOnThread } from '../testing/engine-on-thread.ts';
import { fileSource } from '../testing/table-files.ts';
import { explainFailures } from './failing-segments.ts';
import { measureRules } from './rules.ts';

const LIMIT = { timeoutMs: 60_000 };

async function opened(text: string, work: (engine: Engine, source: OpenedSource) => Promise<void>): Promise<void> {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'a.csv');
  await writeFile(path, text);
  await using source = await fileSource(path);
  await using engine = await engineOnThread(source, directory.path);
  await work(engine, source);
}

/** A rule that can be asked of so many rows and of no further one. */
async function spentAfter(engine: Engine, rows: number): Promise<RuleCheck> {
  await engine.query(`CREATE SEQUENCE calls MAXVALUE ${rows}`);
  return { monitorId: 'spent', validSql: "nextval('calls') > 1", attributes: [], windows: [], reason: '' };
}

test('where the rows that fail a rule cannot be read a second time, it is counted, and the scan says that they were not kept', () =>
  opened('id\n1\n2\n3\n', async (engine) => {
    const rules = [await spentAfter(engine, 3)];
    const results = await measureRules(
      { engine, dimensions: [], points: new PointCollector(), idAttributes: [], keepsSamples: true, seed: '', ...LIMIT },
      { rules, beside: [] },
    );
    expect(results).toMatchObject({ counts: [{ monitor_id: 'spent', checked: 3, failed: 1 }], samples: [], failures: [] });
    expect(results.omissions).toEqual([expect.stringMatching(/^The rows that monitor spent found could not be kept: .*sequence/i)]);
  }));

test('where it cannot be computed what failing rows have in common, their count says why', () =>
  opened('id,land\n1,DE\n2,IT\n3,IT\n', async (engine) => {
    const rules = [await spentAfter(engine, 2)];
    const counts = [
      { monitor_id: 'spent', checked: 3, failed: 1 },
      { monitor_id: 'held', checked: 3, failed: 0 },
    ];
    expect(await explainFailures({ engine, columns: engine.columns, rules, omissions: [], ...LIMIT }, counts)).toEqual([
      { monitor_id: 'spent', checked: 3, failed: 1, unexplained: expect.stringMatching(/sequence/i) },
      { monitor_id: 'held', checked: 3, failed: 0 },
    ]);
  }));

test('where the rows that made a change cannot be found, the scan says so, and what the scan before left is kept', () =>
  opened(
    `amount,land\n${Array.from({ length: 40 }, (_, row) => `${row},${row % 2 === 0 ? 'DE' : 'IT'}\n`).join('')}`,
    async (engine, source) => {
      const scan = (on: Engine, segments?: NonNullable<Awaited<ReturnType<typeof measure>>['memory']['segments']>) => {
        const previous = segments && { columns: on.columns, watermark: null, segments };
        return measure(on, profileRequest(source, ['amount', 'land'], previous === undefined ? {} : { previous }), () => undefined);
      };
      const { omissions, memory } = await scan(engine);
      expect(omissions).toEqual([]);
      expect(memory.segments?.groups.map(({ value }) => value)).toEqual(['DE', 'IT']);
      const later = await scan(withoutGroups(engine), memory.segments);
      expect(later.omissions).toEqual(['Which rows made a change could not be computed: no room is left']);
      expect(later.segmentMoves).toEqual([]);
      expect(later.memory.segments).toEqual(memory.segments);
      expect(later.metrics).toHaveLength((await scan(engine)).metrics.length);
    },
  ));

/** The engine, but for statements about groups of rows. */
function withoutGroups(engine: Engine): Engine {
  return {
    dialect: engine.dialect,
    columns: engine.columns,
    relation: engine.relation,
    numberedRelation: engine.numberedRelation,
    keepsTables: engine.keepsTables,
    loaded: engine.loaded,
    query: (sql, limit) =>
      /GROUP BY GROUPING SETS \(\(v0/.test(sql) ? Promise.reject(new Error('no room is left')) : engine.query(sql, limit),
    queryObjects: (...given) => engine.queryObjects(...given),
    queryTenant: (...given) => engine.queryTenant(...given),
    restrict: (restriction) => engine.restrict(restriction),
    select: (...given) => engine.select(...given),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}
