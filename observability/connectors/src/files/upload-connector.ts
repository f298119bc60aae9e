// SPDX-License-Identifier: Apache-2.0
/**
 * Files that users have uploaded. The connection's payload holds the owner, which the server sets and no user writes; an asset's payload holds
 * the upload's id, `{"upload_id": …}`, so that an asset of one tenant cannot lead to the upload of another.
 */
import { mkdir } from 'node:fs/promises';
import { type Connector, type OpenConnection, SourceError } from '../connector.ts';
import { describeFiles, type LocalFile, openFiles } from '../formats/open-files.ts';
import { formatHints, recogniseFile } from '../formats/recognise.ts';
import { noCredential, type Payload, requiredText } from '../payload.ts';
import { listFiles } from './file-connector.ts';
import { openLocalFile } from './local-file.ts';
import { isUploadId, type UploadArea } from './upload-area.ts';

/** Of an upload's id without the extension. */
const ID_LENGTH = 36;

export function createUploadConnector(area: UploadArea, bytesMax: number): Connector {
  const fileOf = async (connection: OpenConnection, payload: Payload): Promise<LocalFile> => {
    const id = uploadId(payload);
    const file = await openLocalFile(ownDirectory(area, connection), id);
    // What is said of it names no id, which nobody chose.
    return { ...file, name: `upload${id.slice(ID_LENGTH)}` };
  };
  return {
    kind: 'UPLOAD',
    validateConnection: (_payload, credential) => noCredential(credential),
    validateAsset: (payload) => {
      formatHints({ payload });
      // An asset may be made before its first upload.
      if (payload.upload_id !== undefined && payload.upload_id !== null) uploadId(payload);
    },
    test: async () => {},
    list: async (connection, { limit, signal }) => {
      const directory = ownDirectory(area, connection);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const files = await listFiles(directory, limit, signal);
      return files.map((file) => ({ ...file, payload: { upload_id: file.name } }));
    },
    describe: async (connection, location) => {
      const hints = formatHints(location);
      await using file = await fileOf(connection, location.payload);
      return describeFiles([file], [await aboutUpload(recogniseFile(file, hints))]);
    },
    open: async (connection, location, { signal, temporaryDirectory, onProgress }) => {
      const hints = formatHints(location);
      const file = await fileOf(connection, location.payload);
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

function ownDirectory(area: UploadArea, connection: OpenConnection): string {
  return area.directoryOf(requiredText(connection.payload, 'owner', 'the owner of the upload'));
}

function uploadId(payload: Payload): string {
  const id = requiredText(payload, 'upload_id', 'the id of an upload');
  if (isUploadId(id)) return id;
  throw new SourceError('payload.upload_id is not the id of an upload', { member: 'payload.upload_id' });
}
