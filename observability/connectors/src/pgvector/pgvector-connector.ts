// SPDX-License-Identifier: Apache-2.0
/** Tables of PostgreSQL whose rows have vectors, as collections. The connection is that of PostgreSQL; rows are read, and measured here. */
import type { OutboundGuard } from '@sextant/foundation-service';
import type { Connector } from '../connector.ts';
import { pointsSource } from '../formats/points-source.ts';
import { listRelations, snapshotOpener } from '../postgresql/opened-snapshot.ts';
import { serverOf } from '../postgresql/postgresql-session.ts';
import { tableAccess } from './table-access.ts';
import { placeOf, readVectorTable } from './vector-table.ts';

export type PgvectorConnectorOptions = { readonly outbound: OutboundGuard; readonly statementTimeoutMs: number };

/** Of one page; it has fewer. */
const ROWS_MAX = 10_000;

export function createPgvectorConnector({ outbound, statementTimeoutMs }: PgvectorConnectorOptions): Connector {
  const openSnapshot = snapshotOpener(outbound, { statementTimeoutMs, rowsMax: ROWS_MAX });
  return {
    kind: 'PGVECTOR',
    validateConnection: (payload, credential) => {
      serverOf({ payload, credential });
    },
    validateAsset: (payload) => {
      placeOf(payload);
    },
    test: async (connection, signal) => {
      await using opened = await openSnapshot(connection, signal);
      await opened.snapshot.query('SELECT 1', { signal });
    },
    list: async (connection, { limit, signal }) => {
      await using opened = await openSnapshot(connection, signal);
      return await listRelations(opened.snapshot, { where: HAS_VECTORS, limit: Math.min(limit, ROWS_MAX), signal });
    },
    ...pointsSource(async (connection, location, { signal, resources }) => {
      const place = placeOf(location.payload);
      const { snapshot } = resources.use(await openSnapshot(connection, signal));
      return await tableAccess(snapshot, await readVectorTable(snapshot, place, signal));
    }),
  };
}

/** A column of vectors, or an array of floating-point numbers. */
const HAS_VECTORS = `c.relkind IN ('r', 'p', 'm') AND EXISTS (SELECT FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND t.typname IN ('vector', 'halfvec', '_float4', '_float8'))`;
