// SPDX-License-Identifier: Apache-2.0
/** Uploaded files: they stream to where they lie and never stand in memory. */
import { ApiError, type Upload } from '@sextant/contracts-observability';
import { SourceError, UploadError } from '@sextant/observability-connectors';
import type { Upload as StoredUpload } from '@sextant/observability-metadata';
import { operation } from './operation.ts';

const RETRY_SECONDS = 5;

export const listUploads = operation('list_uploads', async ({ tenant }) => (await tenant.uploads.list()).map(presented));

export const createUpload = operation('create_upload', async (context, { query, stream, signal }) => {
  const { tenant, member, uploads, uploadLimitBytes } = context;
  if (stream === undefined) throw new ApiError('bad_request', { reason: 'body: the bytes of the file are missing' });
  try {
    const received = await uploads.receive(tenant.tenantId, stream, { name: query.name, bytesMax: uploadLimitBytes, signal });
    const { id: path, bytes, sha256 } = received;
    return presented(await tenant.uploads.create({ file_name: query.name, bytes, sha256, path, created_by: member.name }));
  } catch (error) {
    throw error instanceof UploadError ? toClientError(error, uploadLimitBytes) : error;
  }
});

export const deleteUpload = operation('delete_upload', async ({ tenant, uploads }, { params }) => {
  const { id, path } = await tenant.uploads.get(params.upload_id);
  const user = (await tenant.assets.list()).find(({ type, payload }) => type === 'UPLOAD' && payload.upload_id === path);
  if (user !== undefined) throw new ApiError('in_use', { what: 'Upload', id, users: `asset ${user.id}` });
  // First the row, so that no row ever stands for a file that is gone.
  await tenant.uploads.delete(id);
  // What a store does not remove now is nobody's, and housekeeping removes it.
  await uploads.remove(tenant.tenantId, path).catch(unlessUnreachable);
  return { message: `Upload ${id} was deleted.` };
});

function presented({ id, file_name, bytes, created_by, created_at, path }: StoredUpload): Upload {
  return { id, name: file_name, bytes, created_by, created_at, payload: { upload_id: path } };
}

function unlessUnreachable(error: unknown): void {
  if (!(error instanceof SourceError)) throw error;
}

function toClientError(error: UploadError, limit: number): Error {
  switch (error.reason) {
    case 'too_large':
      return new ApiError('body_too_large', { limit }, { cause: error });
    case 'busy':
      return new ApiError('overloaded', { seconds: RETRY_SECONDS }, { cause: error });
    case 'unreachable':
      return new ApiError('uploads_unavailable', { seconds: RETRY_SECONDS }, { cause: error });
    case 'no_space':
      // The adapter answers it as a full disk, by its cause.
      return error;
  }
}
