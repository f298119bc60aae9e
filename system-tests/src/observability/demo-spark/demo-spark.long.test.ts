// SPDX-License-Identifier: Apache-2.0
/** `npm run demo:spark` as who tries it sees it. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { missingLakes } from '@sextant/observability-connectors/spark-for-tests';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const TIMEOUT_MS = 3_600_000;
const ENGINES = ['DuckDB', 'Spark'];

const missing = missingLakes();

test.skipIf(missing !== undefined)(
  `both engines open the same incident over the damaged version of a table (${missing ?? 'Spark is installed'})`,
  { timeout: TIMEOUT_MS },
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN], { timeout: TIMEOUT_MS });
    const [, ...versions] = stdout.split(/^version /m);
    expect(versions.map((text) => text.split('\n')[0])).toEqual(['1', '2', '3', '4, damaged: amounts of Italy are negative', '5']);
    for (const text of versions) expect(text.match(/^ {2}\w+ +\d+ values/gm)).toEqual(ENGINES.map((name) => expect.stringContaining(name)));
    // Each engine says it once.
    expect(versions[3]?.match(/^ {4}incident: .*amounts are positive/gm)).toHaveLength(ENGINES.length);
    expect(versions[3]?.match(/^ {6}.*\bIT\b/gm)?.length).toBeGreaterThanOrEqual(ENGINES.length);
    expect(versions[2]).not.toContain('incident');
    expect(stdout).toMatch(/^0 differences between the engines$/m);
  },
);
