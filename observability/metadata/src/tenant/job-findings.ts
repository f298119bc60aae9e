// SPDX-License-Identifier: Apache-2.0
import type { RowSample, SchemaChange } from '@sextant/contracts-observability';
import type { Schema } from '../database/schema.ts';
import { insertAll, type Queries, type TenantScope } from '../database/scope.ts';
import { fromJson, toJson } from '../database/values.ts';

/** What a job found beside its metrics. Written by `jobs.finish`. */
export type JobFindingStore = {
  readonly schemaChanges: (jobId: string) => Promise<readonly SchemaChange[]>;
  readonly rowSamples: (jobId: string, filter?: { readonly monitor_id?: string | null }) => Promise<readonly RowSample[]>;
};

export function jobFindingStore({ db, own }: TenantScope): JobFindingStore {
  return {
    schemaChanges: async (jobId) => {
      const rows = await own(db).selectFrom('schema_changes').selectAll().where('job_id', '=', jobId).orderBy('position').execute();
      return rows.map(({ kind, attribute, type_before, type_after }) => ({
        // The store wrote the kind from a `SchemaChange`.
        kind: kind as SchemaChange['kind'],
        attribute,
        before: type_before,
        after: type_after,
      }));
    },
    rowSamples: async (jobId, { monitor_id } = {}) => {
      let query = own(db).selectFrom('row_samples').selectAll().where('job_id', '=', jobId);
      if (monitor_id !== undefined) query = query.where('monitor_id', monitor_id === null ? 'is' : '=', monitor_id);
      const rows = await query.orderBy('position').execute();
      return rows.map((row) => {
        const { monitor_id, reason, record_id, record_number } = row;
        const numbered = record_number === null ? {} : { record_number };
        return { monitor_id, reason, record_id, ...numbered, row: fromJson<RowSample['row']>(row.sample) };
      });
    },
  };
}

export async function insertFindings(
  transaction: Queries,
  { tenant_id, id: job_id }: Pick<Schema['jobs'], 'tenant_id' | 'id'>,
  { schema_changes, samples }: { readonly schema_changes: readonly SchemaChange[]; readonly samples: readonly RowSample[] },
): Promise<void> {
  const changes = schema_changes.map(({ kind, attribute, before, after }, position) => ({
    tenant_id,
    job_id,
    position,
    kind,
    attribute,
    type_before: before,
    type_after: after,
  }));
  await insertAll(transaction, 'schema_changes', changes);
  const rows = samples.map(({ monitor_id, reason, record_id, record_number = null, row }, position) => ({
    tenant_id,
    job_id,
    position,
    monitor_id,
    reason,
    record_id,
    record_number,
    sample: toJson(row),
  }));
  await insertAll(transaction, 'row_samples', rows);
}
