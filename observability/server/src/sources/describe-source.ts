/** Reads the columns of an asset, as far as its source can be reached now: an asset may be made before its data. */
import type { Asset } from '@sextant/contracts-observability';
import type { Description } from '@sextant/observability-connectors';
import type { TenantMetadata } from '@sextant/observability-metadata';
import type { AssetSource, SourceAccess } from './source-access.ts';

/** A caller waits for this; the scan reads the columns again anyway. */
const TIMEOUT_MS = 15_000;

export async function describeSource(
  { tenant, sources }: { readonly tenant: TenantMetadata; readonly sources: SourceAccess },
  source: AssetSource & Pick<Asset, 'options'>,
  signal: AbortSignal,
): Promise<Description | undefined> {
  if (!sources.isServed(source.type)) return undefined;
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  return sources.describe(tenant, source, limited).catch(() => undefined);
}
