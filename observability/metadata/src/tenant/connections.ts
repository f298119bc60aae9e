import type { Connection, Credential } from '@sextant/contracts-observability';

export type NewConnection = Pick<Connection, 'name' | 'scope' | 'project_id' | 'type' | 'payload' | 'db_type' | 'created_by'> & {
  readonly credential: Credential | null;
};

/** What is left out stays as it is; a null credential removes it. */
export type ConnectionChange = Partial<Pick<Connection, 'name' | 'type' | 'payload' | 'db_type'>> & {
  readonly credential?: Credential | null;
};

/** Credentials are encrypted; only `credential` opens them. */
export type ConnectionStore = {
  /** @throws MetadataMissing for an unknown project */
  readonly create: (connection: NewConnection) => Promise<Connection>;
  /** All, or those that a project sees: its own, and the global ones if asked for. */
  readonly list: (filter?: { readonly project_id?: number; readonly with_global?: boolean }) => Promise<readonly Connection[]>;
  /** @throws MetadataMissing */
  readonly get: (id: number) => Promise<Connection>;
  /** @throws MetadataMissing */
  readonly credential: (id: number) => Promise<Credential | null>;
  /** @throws MetadataMissing */
  readonly update: (id: number, change: ConnectionChange) => Promise<Connection>;
  /** @throws MetadataMissing; MetadataConflict while an asset or the reporting configuration uses it */
  readonly delete: (id: number) => Promise<void>;
};
