// SPDX-License-Identifier: Apache-2.0
/** The program of the page on Spark: workers of a local Spark write a table of embeddings with the published client of Python. */
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { missingSpark, openSparkForTests } from '@sextant/observability-connectors/spark-for-tests';
import { expect, test } from 'vitest';
import { scrollAll, vectorApi } from '../vector-api.ts';
import { startVectorServer } from '../vector-server.ts';
import { missingPythonClients } from './python-programs.ts';

const POINTS = 100_000;
const SIZE = 32;
const TIMEOUT_MS = 3_600_000;
const PAGE = fileURLToPath(new URL('../../../docs/how-to/clients/spark.md', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../.cache', import.meta.url));
const PYTHON = join(CACHE, 'spark/bin/python');
/** Where the client is; the Python of both environments is the same. */
const CLIENTS = join(CACHE, 'python-clients/lib/python3*/site-packages');
const COLLECTION = 'articles';

const missing = missingSpark() ?? missingPythonClients;

/** Each number of a vector follows from its point and its place; no two points have the same ones. */
const [FACTOR, PRIME] = [7919, 100_003];
const VALUE = `((((id * ${SIZE} + d) * ${FACTOR}) % ${PRIME}) - 50000) / 65536`;
const vectorOf = (id: number) => Array.from({ length: SIZE }, (_, place) => ((((id * SIZE + place) * FACTOR) % PRIME) - 50_000) / 65_536);

async function writeEmbeddings(path: string): Promise<void> {
  await using spark = await openSparkForTests(systemClock);
  const embedding = `transform(sequence(0, ${SIZE - 1}), d -> CAST(${VALUE} AS FLOAT))`;
  const rows = `SELECT id, ${embedding} AS embedding, concat('text ', id) AS text FROM range(${POINTS})`;
  await spark.query(`INSERT OVERWRITE DIRECTORY USING parquet OPTIONS (path '${path}') ${rows}`);
}

test.skipIf(missing !== undefined)(
  `Spark writes ${POINTS} points from its workers (${missing ?? 'PySpark and qdrant-client are installed'})`,
  { timeout: TIMEOUT_MS },
  async () => {
    await using directory = await temporaryDirectory();
    const [source, program] = [join(directory.path, 'embeddings'), join(directory.path, 'embeddings.py')];
    await writeEmbeddings(source);
    const [, code = ''] = /^```python\n(.*?)^```$/ms.exec(readFileSync(PAGE, 'utf8')) ?? [];
    await writeFile(program, code);
    await using server = await startVectorServer({ directory: join(directory.path, 'data') });
    const { stdout } = await promisify(execFile)(PYTHON, [program, server.address, source, COLLECTION], {
      timeout: TIMEOUT_MS,
      maxBuffer: 10_000_000,
      cwd: directory.path,
      env: {
        ...process.env,
        PYTHONPATH: globSync(CLIENTS)[0],
        PYSPARK_PYTHON: PYTHON,
        SPARK_LOCAL_IP: '127.0.0.1',
        SPARK_LOCAL_DIRS: directory.path,
      },
    });
    expect(stdout.trim()).toBe(String(POINTS));
    const points = await scrollAll(vectorApi(server.client).collection(COLLECTION), undefined, 2000);
    expect(points.map(({ id }) => id)).toEqual(Array.from({ length: POINTS }, (_, id) => id));
    expect(points.filter(({ id, payload }) => payload?.text !== `text ${id}`)).toEqual([]);
    // A collection that compares by cosine keeps vectors of length 1.
    expect(points.filter(({ id, vector }) => !isAlong(vector, vectorOf(Number(id)))).map(({ id }) => id)).toEqual([]);
    await server.stop();
  },
);

function isAlong(vector: unknown, expected: readonly number[]): boolean {
  const length = Math.hypot(...expected);
  return (
    Array.isArray(vector) && vector.length === SIZE && expected.every((value, place) => Math.abs(vector[place] - value / length) < 1e-6)
  );
}
