/** Reads the columns of an asset, as far as its source can be reached now: an asset may be made before its data. */
import type { Asset } from '@sextant/contracts-observability';
import type { TenantMetadata } from '@sextant/observability-metadata';
import type { SourceAccess } from './source-access.ts';

/** A caller waits for this; the scan reads the columns again anyway. */
const TIMEOUT_MS = 15_000;

export async function refreshAttributes(
  { tenant, sources }: { readonly tenant: TenantMetadata; readonly sources: SourceAccess },
  asset: Asset,
  { monitorNew, signal }: { readonly monitorNew: boolean; readonly signal: AbortSignal },
): Promise<void> {
  if (!sources.isServed(asset.type)) return;
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const description = await sources.describe(tenant, asset, limited).catch(() => undefined);
  if (description !== undefined) await tenant.attributes.replace(asset.id, description.columns, { monitorNew });
}
