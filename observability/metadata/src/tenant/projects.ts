import type { Project } from '@sextant/contracts-observability';

export type NewProject = Pick<Project, 'name' | 'description' | 'created_by'>;

export type ProjectStore = {
  /** @throws MetadataConflict when the name is taken */
  readonly create: (project: NewProject) => Promise<Project>;
  readonly list: () => Promise<readonly Project[]>;
  /** @throws MetadataMissing */
  readonly get: (id: number) => Promise<Project>;
  /** @throws MetadataMissing; MetadataConflict when the name is taken */
  readonly update: (id: number, change: Partial<Pick<Project, 'name' | 'description'>>) => Promise<Project>;
  /** @throws MetadataMissing; MetadataConflict for project 0 and while it holds assets or connections */
  readonly delete: (id: number) => Promise<void>;
};
