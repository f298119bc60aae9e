// SPDX-License-Identifier: Apache-2.0
/**
 * Files that users have uploaded. The connection's payload holds the owner, which the server sets and no user writes; an asset's payload holds
 * the upload's id, `{"upload_id": …}`, so that an asset of one tenant cannot lead to the upload of another.
 */
import { type Connector, type OpenConnection, SourceError } from '../connector.ts';
import { describeFiles, openFiles } from '../formats/open-files.ts';
import { formatHints, recogniseFile } from '../formats/recognise.ts';
import { noCredential, type Payload, requiredText } from '../payload.ts';
import { isUploadId, type UploadArea } from './upload-area.ts';

export function createUploadConnector(area: UploadArea, bytesMax: number): Connector {
  return {
    kind: 'UPLOAD',
    validateConnection: (_payload, credential) => noCredential(credential),
    validateAsset: (payload) => {
      formatHints({ payload });
      // An asset may be made before its first upload.
      if (payload.upload_id !== undefined && payload.upload_id !== null) uploadId(payload);
    },
    test: async () => {},
    list: async (connection, { limit }) => {
      const uploads = await area.list(ownerOf(connection));
      return uploads.slice(0, limit).map(({ id, bytes, modifiedAt }) => ({
        payload: { upload_id: id },
        name: id,
        bytes,
        modified_at: modifiedAt.toISOString(),
      }));
    },
    describe: async (connection, location, signal) => {
      const hints = formatHints(location);
      await using source = await aboutUpload(area.look(ownerOf(connection), uploadId(location.payload), signal));
      return describeFiles([source], [await aboutUpload(recogniseFile(source, hints))]);
    },
    open: async (connection, location, { signal, temporaryDirectory, onProgress }) => {
      const hints = formatHints(location);
      const fetching = { signal, temporaryDirectory, bytesMax, onBytes };
      let read = 0;
      function onBytes(bytes: number): void {
        read += bytes;
        onProgress?.(read, null);
      }
      const file = await aboutUpload(area.open(ownerOf(connection), uploadId(location.payload), fetching));
      const opened = await openFiles([file], { hints, temporaryDirectory, bytesMax, signal });
      onProgress?.(file.bytes, file.bytes);
      return opened;
    },
  };
}

/** An asset of an upload names it by its id, and no path. */
async function aboutUpload<Result>(recognised: Promise<Result>): Promise<Result> {
  try {
    return await recognised;
  } catch (error) {
    if (!(error instanceof SourceError) || error.member !== 'payload.path') throw error;
    throw new SourceError(error.message, { cause: error, member: 'payload.upload_id' });
  }
}

function ownerOf(connection: OpenConnection): string {
  return requiredText(connection.payload, 'owner', 'the owner of the upload');
}

function uploadId(payload: Payload): string {
  const id = requiredText(payload, 'upload_id', 'the id of an upload');
  if (isUploadId(id)) return id;
  throw new SourceError('payload.upload_id is not the id of an upload', { member: 'payload.upload_id' });
}
