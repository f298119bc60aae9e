// SPDX-License-Identifier: Apache-2.0
/** What is wrong with a tenant's SQL about an asset, as far as can be found without reading its data. */
import type { Asset } from '@sextant/contracts-observability';
import type { Column } from '@sextant/observability-connectors';
import type { TenantMetadata } from '@sextant/observability-metadata';
import { REFUSED_ON_SPARK, sqlFaultInPostgresql, sqlFaultOfFiles } from '@sextant/observability-scan';
import { locationOf, type SourceAccess } from './source-access.ts';
import { Turns } from './turns.ts';

/** A caller waits for it; what takes longer, the scan says. */
const TIMEOUT_MS = 30_000;
/** Each plans in a process or over a connection of its own. */
const RUNNING_MAX = 2;
const WAITING_MAX = 50;

export type SqlCheck = (
  tenant: TenantMetadata,
  asset: Asset,
  statement: {
    readonly sql: string /** The attributes of the asset. */;
    readonly columns: readonly Column[];
    readonly signal: AbortSignal;
  },
) => Promise<string | undefined>;

/** Answers a sentence for the author; undefined where nothing is wrong, or where it cannot be known before a scan. */
export function createSqlCheck({
  sources,
  temporaryDirectory,
}: {
  readonly sources: SourceAccess;
  readonly temporaryDirectory: string;
}): SqlCheck {
  const turns = new Turns({ running: RUNNING_MAX, waiting: WAITING_MAX });
  return async (tenant, asset, { sql, columns, signal }) => {
    using turn = await turns.take();
    if (turn === undefined) return undefined;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const options = { temporaryDirectory, signal: limited };
    if (asset.type === 'SPARK') return REFUSED_ON_SPARK;
    if (asset.type !== 'POSTGRESQL') return await sqlFaultOfFiles(sql, columns, options);
    // A database that cannot be reached now says nothing of the statement.
    const opened = await sources
      .open(tenant, asset, { ...options, location: locationOf(asset.payload, asset.options) })
      .catch(() => undefined);
    if (opened === undefined) return undefined;
    await using source = opened;
    return source.data.kind === 'postgresql'
      ? await sqlFaultInPostgresql(sql, columns, { source: source.data, signal: limited })
      : undefined;
  };
}
