import type { ApiKey, Role } from '@sextant/contracts-observability';

export type NewApiKey = {
  readonly name: string;
  readonly secret_hash: string;
  readonly role: Role;
  readonly creator_id: string | null;
};

export type ApiKeyStore = {
  /** @throws MetadataMissing for an unknown creator */
  readonly create: (key: NewApiKey) => Promise<ApiKey>;
  readonly list: () => Promise<readonly ApiKey[]>;
  /** @throws MetadataMissing */
  readonly get: (id: string) => Promise<ApiKey>;
  /** @throws MetadataMissing */
  readonly delete: (id: string) => Promise<void>;
};
