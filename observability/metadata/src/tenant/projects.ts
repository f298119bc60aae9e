// SPDX-License-Identifier: Apache-2.0
import type { Project } from '@sextant/contracts-observability';
import type { Schema } from '../database/schema.ts';
import { type Queries, type TenantScope, takeNumbers } from '../database/scope.ts';
import { toTime } from '../database/values.ts';
import { MetadataConflict } from '../errors.ts';
import { getRow } from './references.ts';

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

/** Every tenant has it, and it stays. */
const DEFAULT_PROJECT = 0;

export function projectStore({ tenantId, db, write, clock, own }: TenantScope): ProjectStore {
  const get = async (queries: Queries, id: number) => toProject(await getRow(queries, tenantId, { table: 'projects', id }));
  const refuseTakenName = async (queries: Queries, name: string, owner?: number) => {
    const row = await own(queries).selectFrom('projects').select('id').where('name', '=', name).executeTakeFirst();
    if (row !== undefined && row.id !== owner) throw new MetadataConflict('project', `A project ${JSON.stringify(name)} already exists.`);
  };
  const holds = async (queries: Queries, table: 'assets' | 'connections', id: number) =>
    (await own(queries).selectFrom(table).select('id').where('project_id', '=', id).executeTakeFirst()) !== undefined;

  return {
    create: ({ name, description, created_by }) =>
      write(async (transaction) => {
        await refuseTakenName(transaction, name);
        const id = await takeNumbers(transaction, tenantId, 'project');
        const row = { tenant_id: tenantId, id, name, description, created_by, created_ms: clock.nowMs() };
        await transaction.insertInto('projects').values(row).execute();
        return toProject(row);
      }),
    list: async () => {
      const rows = await own(db).selectFrom('projects').selectAll().orderBy('id').execute();
      return rows.map(toProject);
    },
    get: (id) => get(db, id),
    update: (id, { name, description }) =>
      write(async (transaction) => {
        const project = await get(transaction, id);
        const change = { name: name ?? project.name, description: description === undefined ? project.description : description };
        await refuseTakenName(transaction, change.name, id);
        await own(transaction).updateTable('projects').set(change).where('id', '=', id).execute();
        return { ...project, ...change };
      }),
    delete: (id) =>
      write(async (transaction) => {
        await get(transaction, id);
        if (id === DEFAULT_PROJECT) throw new MetadataConflict('project', 'The project Default cannot be deleted.');
        if (await holds(transaction, 'assets', id)) throw new MetadataConflict('project', `Project ${id} still holds assets.`);
        if (await holds(transaction, 'connections', id)) throw new MetadataConflict('project', `Project ${id} still holds connections.`);
        await own(transaction).deleteFrom('projects').where('id', '=', id).execute();
      }),
  };
}

function toProject({ id, name, description, created_by, created_ms }: Schema['projects']): Project {
  return { id, name, description, created_by, created_at: toTime(created_ms) };
}
