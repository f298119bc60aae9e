// SPDX-License-Identifier: Apache-2.0
/** Sources in the Spark that all tests of a run share. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '@sextant/foundation-std';
import type { OpenedSource } from '../connector.ts';
import type { Payload } from '../payload.ts';
import { openChannel, type SparkAddress } from '../spark/connect-channel.ts';
import { sparkAssetOf } from '../spark/spark-asset.ts';
import { openSession, type SparkSession } from '../spark/spark-session.ts';
import { openSparkSource, VIEW } from '../spark/spark-source.ts';
import { sharedSpark } from './shared-spark.ts';

export type { SparkAddress } from '../spark/connect-channel.ts';
export { startLocalSpark } from '../spark/local-server.ts';
export { missingIceberg, missingLakes, missingSpark, sharedSpark, sparkHome, startIcebergSpark } from './shared-spark.ts';

const LIMITS = { statementTimeoutMs: 100_000, rowsMax: 1_000_000, bytesMax: 256 * 2 ** 20 };

type SparkOptions = {
  /** That of all tests unless given. */
  readonly address?: SparkAddress;
  readonly statementTimeoutMs?: number;
};

export async function openSparkForTests(
  clock: Clock,
  run: string = randomUUID(),
  { address, statementTimeoutMs = LIMITS.statementTimeoutMs }: SparkOptions = {},
): Promise<SparkSession> {
  const channel = openChannel(address ?? (await sharedSpark()), clock);
  const session = await openSession({ channel, run, properties: {}, limits: { ...LIMITS, statementTimeoutMs }, clock });
  return {
    query: session.query,
    [Symbol.asyncDispose]: async () => {
      await session[Symbol.asyncDispose]();
      channel.close();
    },
  };
}

export async function openSparkTable(
  payload: Payload,
  { clock, ...options }: SparkOptions & { readonly clock: Clock },
): Promise<OpenedSource> {
  const session = await openSparkForTests(clock, undefined, options);
  const { description, confirmUnchanged } = await openSparkSource(session, sparkAssetOf(payload), new AbortController().signal);
  return {
    description: { ...description, modified_at: null },
    data: { kind: 'spark', connect: session, view: VIEW },
    confirmUnchanged,
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}
