// SPDX-License-Identifier: Apache-2.0
import type { Attribute } from '@sextant/contracts-observability';
import type { TenantMetadata } from '@sextant/observability-metadata';

export type AttributesOf = (assetId: string) => Promise<readonly Attribute[]>;

/** The attributes of assets, each asset asked for once. */
export function attributesIn(tenant: TenantMetadata): AttributesOf {
  const known = new Map<string, readonly Attribute[]>();
  return async (assetId) => {
    const attributes = known.get(assetId) ?? (await tenant.attributes.list(assetId));
    known.set(assetId, attributes);
    return attributes;
  };
}

/** As it is written, or in other case where that leads to one; of an asset whose attributes are not known yet, any. */
export function writtenAs(field: string, attributes: readonly Attribute[]): string | undefined {
  if (attributes.length === 0 || attributes.some(({ name }) => name === field)) return field;
  const alike = attributes.filter(({ name }) => name.toLowerCase() === field.toLowerCase());
  return alike.length === 1 ? alike[0]?.name : undefined;
}
