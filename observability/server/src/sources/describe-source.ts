// SPDX-License-Identifier: Apache-2.0
/** Reads the columns of an asset and how its text is read, and stores both: scans read it in the same way. */
import { isDeepStrictEqual } from 'node:util';
import type { Asset } from '@sextant/contracts-observability';
import { type Description, SourceError } from '@sextant/observability-connectors';
import type { TenantMetadata } from '@sextant/observability-metadata';
import type { AssetSource, SourceAccess } from './source-access.ts';
import { sourceFailure } from './source-failure.ts';

/** A caller waits for this; the scan reads the columns again anyway. */
const TIMEOUT_MS = 15_000;
/** Spark may have to be started first. */
const SPARK_TIMEOUT_MS = 180_000;

type Access = { readonly tenant: TenantMetadata; readonly sources: SourceAccess };

/**
 * Undefined for kinds that are stored and not read, and for an asset that waits for its first upload.
 *
 * @throws SourceError where the source cannot be opened
 */
export async function describeSource(
  { tenant, sources }: Access,
  asset: AssetSource & Pick<Asset, 'options'>,
  signal: AbortSignal,
): Promise<Description | undefined> {
  if (!sources.isServed(asset.type) || waitsForUpload(asset)) return undefined;
  const timeoutMs = asset.type === 'SPARK' ? SPARK_TIMEOUT_MS : TIMEOUT_MS;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await sources.describe(tenant, asset, AbortSignal.any([signal, timeout]));
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof SourceError) throw cause;
    throw new SourceError(timeout.aborted ? `the source did not answer within ${timeoutMs / 1000} seconds` : sourceFailure(cause), {
      cause,
    });
  }
}

function waitsForUpload({ type, payload }: Pick<Asset, 'type' | 'payload'>): boolean {
  return type === 'UPLOAD' && (payload.upload_id === undefined || payload.upload_id === null);
}

export async function storeDescription(
  tenant: TenantMetadata,
  asset: Asset,
  { description, monitorNew }: { readonly description: Description; readonly monitorNew: boolean },
): Promise<void> {
  const { columns, reading } = description;
  await storeReading(tenant, asset, description);
  // Types of text stick: what the values of another file look like does not change them.
  const known =
    reading === undefined ? [] : (await tenant.attributes.list(asset.id)).filter(({ name }) => !Object.hasOwn(reading.types ?? {}, name));
  const kept = new Map(known.map(({ name, source_type, data_type }) => [name, { name, source_type, data_type }]));
  await tenant.attributes.replace(
    asset.id,
    columns.map((column) => kept.get(column.name) ?? column),
    { monitorNew },
  );
}

/** What was found of the reading is stored once, beside what people chose. */
export async function storeReading(
  tenant: TenantMetadata,
  { id, options }: Pick<Asset, 'id' | 'options'>,
  { reading }: Pick<Description, 'reading'>,
): Promise<void> {
  if (reading === undefined || isDeepStrictEqual(reading, options.reading)) return;
  await tenant.assets.update(id, { options: { ...options, reading } });
}
