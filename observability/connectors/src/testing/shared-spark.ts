// SPDX-License-Identifier: Apache-2.0
/** One Spark for all tests of a run: the first that asks starts it, and it ends with the run. */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { SparkAddress } from '../spark/connect-channel.ts';
import { findSparkHome, type LocalSpark, startLocalSpark } from '../spark/local-server.ts';

const ENVIRONMENT = fileURLToPath(new URL('../../../../.cache/spark', import.meta.url));
/** What `.ci/run` copies from Maven Central. */
const JARS = process.env.SPARK_JARS ?? fileURLToPath(new URL('../../../../.cache/spark-jars', import.meta.url));
const MEMORY_MB = 700;
const POLL_MS = 200;

/** A sentence, where tests on Spark cannot run. */
export function missingSpark(): string | undefined {
  if (sparkHome() === undefined) return 'Spark is not installed: pip install pyspark==4.2.0 in .cache/spark, or SPARK_HOME';
  return spawnSync('java', ['-version']).status === 0 ? undefined : 'Java is not installed';
}

/** Where the Spark of tests is installed. */
export function sparkHome(): string | undefined {
  return findSparkHome(process.env.SPARK_HOME, [ENVIRONMENT]);
}

/** A sentence, where tests on formats that Spark reads by packages of others cannot run. */
export function missingLakes(): string | undefined {
  return missingSpark() ?? (existsSync(JARS) ? undefined : 'the jars of Delta and Avro are not in .cache/spark-jars: .ci/run copies them');
}

const ICEBERG_ENVIRONMENT = fileURLToPath(new URL('../../../../.cache/spark-4.1', import.meta.url));
const ICEBERG_JARS = process.env.ICEBERG_JARS ?? fileURLToPath(new URL('../../../../.cache/iceberg-jars', import.meta.url));
const ICEBERG_MEMORY_MB = 900;

/** A sentence, where tests on Iceberg cannot run: it has no package for the Spark of the other tests. */
export function missingIceberg(): string | undefined {
  if (icebergHome() === undefined)
    return 'Spark 4.1 is not installed: pip install pyspark==4.1.4 in .cache/spark-4.1, or ICEBERG_SPARK_HOME';
  if (!existsSync(ICEBERG_JARS)) {
    return 'the jar of Iceberg is not in .cache/iceberg-jars: copy org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0 there, or say where it is in ICEBERG_JARS';
  }
  return spawnSync('java', ['-version']).status === 0 ? undefined : 'Java is not installed';
}

function icebergHome(): string | undefined {
  return findSparkHome(process.env.ICEBERG_SPARK_HOME, [ICEBERG_ENVIRONMENT]);
}

/** Of one test file alone, with a catalog `lake` whose tables lie below a folder. */
export function startIcebergSpark({
  directory,
  warehouse,
}: {
  readonly directory: string;
  readonly warehouse: string;
}): Promise<LocalSpark> {
  return startLocalSpark({
    home: icebergHome() ?? '',
    directory,
    memoryMb: ICEBERG_MEMORY_MB,
    threads: 1,
    lifeOf: process.pid,
    jars: ICEBERG_JARS,
    properties: {
      'spark.sql.catalog.lake': 'org.apache.iceberg.spark.SparkCatalog',
      'spark.sql.catalog.lake.type': 'hadoop',
      'spark.sql.catalog.lake.warehouse': warehouse,
    },
  });
}

/** As Delta's page says: https://docs.delta.io/latest/quick-start.html */
const LAKES = {
  'spark.sql.extensions': 'io.delta.sql.DeltaSparkSessionExtension',
  'spark.sql.catalog.spark_catalog': 'org.apache.spark.sql.delta.catalog.DeltaCatalog',
  // Its logs are read in fifty parts, which is much for three rows.
  'spark.databricks.delta.snapshotPartitions': '1',
};

/** What it runs is Spark's own and loaded once: verifying its classes, and compiling early or for long what runs a few times, takes longer than it saves. */
const JAVA_OPTIONS = [
  '-XX:TieredStopAtLevel=1',
  '-XX:CompileThresholdScaling=4',
  '-XX:+UnlockDiagnosticVMOptions',
  '-XX:-BytecodeVerificationRemote',
];

export async function sharedSpark(): Promise<SparkAddress> {
  // Of the program that runs all tests, whose children they are.
  const run = process.ppid;
  const directory = join(tmpdir(), `sextant-spark-${run}`);
  mkdirSync(directory, { recursive: true });
  const [lock, ready] = [join(directory, 'lock'), join(directory, 'address.json')];
  if (isFirst(lock)) {
    try {
      const { address } = await startLocalSpark({
        home: sparkHome() ?? '',
        directory,
        memoryMb: MEMORY_MB,
        threads: 1,
        lifeOf: run,
        // Statements of tests are many and their tables small: to make code for each takes longer than to do without.
        properties: {
          'spark.sql.adaptive.enabled': 'false',
          'spark.sql.codegen.wholeStage': 'false',
          'spark.sql.codegen.factoryMode': 'NO_CODEGEN',
          // Nobody looks at plans: they are neither written out nor checked after each rule.
          'spark.sql.ui.explainMode': 'simple',
          'spark.sql.maxPlanStringLength': '0',
          'spark.sql.lightweightPlanChangeValidation': 'false',
          ...(missingLakes() === undefined ? LAKES : {}),
        },
        ...(missingLakes() === undefined ? { jars: JARS } : {}),
        javaOptions: JAVA_OPTIONS,
      });
      writeFileSync(ready, JSON.stringify({ address }), { flush: true });
    } catch (error) {
      writeFileSync(ready, JSON.stringify({ problem: String(error) }));
    }
  }
  while (!existsSync(ready) || readFileSync(ready, 'utf8') === '') await delay(POLL_MS);
  // Written above, by this process or its like.
  const found = JSON.parse(readFileSync(ready, 'utf8')) as { readonly address?: SparkAddress; readonly problem?: string };
  if (found.address === undefined) throw new Error(found.problem);
  return found.address;
}

function isFirst(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx'));
    return true;
  } catch {
    return false;
  }
}
