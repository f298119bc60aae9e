import type { Tenant } from '@sextant/contracts-observability';

export type TenantStore = {
  /** Makes the tenant with its project 0, `Default`. @throws MetadataConflict when the id is taken */
  readonly create: (tenant: { readonly id: string; readonly name: string }) => Promise<Tenant>;
  readonly list: () => Promise<readonly Tenant[]>;
  readonly find: (id: string) => Promise<Tenant | undefined>;
};
