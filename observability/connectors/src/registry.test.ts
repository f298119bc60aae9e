// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { createOutboundGuard } from '@sextant/foundation-service';
import { systemClock } from '@sextant/foundation-std';
import { loadedModules, temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { createConnectors } from './registry.ts';

test('each served kind has its connector, each other kind its sentence', async () => {
  await using directory = await temporaryDirectory();
  const connectors = await createConnectors({
    uploads: { directory: join(directory.path, 'uploads') },
    outbound: createOutboundGuard(),
    clock: systemClock,
  });
  for (const kind of [
    'FILE',
    'UPLOAD',
    'S3',
    'GCS',
    'AZURE',
    'POSTGRESQL',
    'SPARK',
    'VECTOR_COLLECTION',
    'QDRANT',
    'PGVECTOR',
    'LANCEDB',
    'MILVUS',
  ]) {
    expect(connectors.connectorOf(kind).kind).toBe(kind);
  }
  expect(() => connectors.connectorOf('BIGQUERY')).toThrow(
    'type BIGQUERY (BigQuery) can be stored but is not supported for scans; expected one of FILE',
  );
  for (const kind of ['ORACLE', 'constructor', '']) expect(() => connectors.connectorOf(kind)).toThrow(`type ${kind} is unknown`);
  expect(connectors.objectStoreOf('S3').kind).toBe('S3');
  expect(() => connectors.objectStoreOf('FILE')).toThrow('type FILE is not an object store; expected one of S3, GCS, AZURE');
});

test('nothing of the machine is open unless the operator says so', async () => {
  await using directory = await temporaryDirectory();
  const { connectorOf } = await createConnectors({
    uploads: { directory: join(directory.path, 'uploads') },
    outbound: createOutboundGuard(),
    clock: systemClock,
  });
  const connection = { id: 1, type: 'FILE', payload: { directory: directory.path }, credential: null } as const;
  await expect(connectorOf('FILE').test(connection, new AbortController().signal)).rejects.toThrow(
    'not a directory that the operator allows',
  );
});

test('the SDK of an object store, and what speaks to Spark, is loaded with the first connection to it', () => {
  const loaded = loadedModules(['./index.ts'], import.meta.url);
  expect(loaded.length).toBeGreaterThan(10);
  expect(loaded.filter((url) => /node_modules\/(@aws-sdk|@azure|@google-cloud|@grpc|apache-arrow)\//.test(url))).toEqual([]);
});
