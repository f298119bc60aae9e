// SPDX-License-Identifier: Apache-2.0
import { hexId } from '../database/ids.ts';
import type { Schema } from '../database/schema.ts';
import type { TenantScope } from '../database/scope.ts';
import { toTime } from '../database/values.ts';
import { MetadataMissing } from '../errors.ts';
import { getRow } from './references.ts';

export type Upload = {
  /** The letter `u` and 32 hexadecimal digits. */
  readonly id: string;
  readonly file_name: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Relative to the upload area. */
  readonly path: string;
  readonly created_by: string;
  readonly created_at: string;
};

export type UploadStore = {
  readonly create: (upload: Omit<Upload, 'id' | 'created_at'>) => Promise<Upload>;
  readonly list: () => Promise<readonly Upload[]>;
  /** @throws MetadataMissing */
  readonly get: (id: string) => Promise<Upload>;
  /** @throws MetadataMissing */
  readonly delete: (id: string) => Promise<void>;
};

export function uploadStore({ tenantId, db, clock, randomBytes, own }: TenantScope): UploadStore {
  return {
    create: async ({ file_name, bytes, sha256, path, created_by }) => {
      const row = {
        tenant_id: tenantId,
        id: hexId(randomBytes, 'u'),
        file_name,
        bytes,
        sha256,
        path,
        created_by,
        created_ms: clock.nowMs(),
      };
      await db.insertInto('uploads').values(row).execute();
      return toUpload(row);
    },
    list: async () => {
      const rows = await own(db).selectFrom('uploads').selectAll().orderBy('created_ms').orderBy('id').execute();
      return rows.map(toUpload);
    },
    get: async (id) => toUpload(await getRow(db, tenantId, { table: 'uploads', id })),
    delete: async (id) => {
      const { numDeletedRows } = await own(db).deleteFrom('uploads').where('id', '=', id).executeTakeFirst();
      if (numDeletedRows === 0n) throw new MetadataMissing('upload', id);
    },
  };
}

function toUpload({ id, file_name, bytes, sha256, path, created_by, created_ms }: Schema['uploads']): Upload {
  return { id, file_name, bytes, sha256, path, created_by, created_at: toTime(created_ms) };
}
