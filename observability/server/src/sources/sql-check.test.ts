// SPDX-License-Identifier: Apache-2.0
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOutboundGuard } from '@sextant/foundation-service';
import { systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { createConnectors } from '@sextant/observability-connectors';
import { expect, test } from 'vitest';
import { openEvaluationFixture } from '../testing/evaluation-fixture.ts';
import { SourceAccess } from './source-access.ts';
import { createSqlCheck } from './sql-check.ts';

/** Between two looks at the plans; one takes many times as long. */
const LOOK_MS = 5;

test('of many statements at once two are planned at a time, and each gets its answer', async () => {
  await using directory = await temporaryDirectory();
  await using fixture = await openEvaluationFixture(directory.path);
  const asset = await fixture.newAsset('orders');
  const guard = createOutboundGuard();
  const connectors = await createConnectors({
    uploads: { directory: `${directory.path}/uploads` },
    allowedDirectories: [],
    outbound: guard,
    assetBytesMax: 2 ** 20,
    clock: systemClock,
    statementTimeoutMs: 10_000,
  });
  const plans = `${directory.path}/plans`;
  const check = createSqlCheck({ sources: new SourceAccess(connectors, 0), temporaryDirectory: plans });
  const columns = [{ name: 'price', source_type: 'DOUBLE', data_type: 'DECIMAL' }] as const;
  let under = true;
  let most = 0;
  const watching = (async () => {
    while (under) {
      most = Math.max(most, (await readdir(plans).catch(() => [])).length);
      await sleep(LOOK_MS);
    }
  })();
  const { signal } = new AbortController();
  const answers = await Promise.all(
    ['price', 'prise', 'prise'].map((name) => check(fixture.tenant, asset, { sql: `SELECT sum(${name}) FROM asset`, columns, signal })),
  );
  under = false;
  await watching;
  const wrong = 'prise is not an attribute of the asset; did you mean price?';
  expect(answers).toEqual([undefined, wrong, wrong]);
  expect(most).toBeLessThanOrEqual(2);
  guard.close();
});
