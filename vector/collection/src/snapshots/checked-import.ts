// SPDX-License-Identifier: Apache-2.0
/** Imports the data of a snapshot, and refuses what no collection could have written. */
import { importCollection, openCollectionStorage } from '@sextant/vector-storage';
import { checkCollection } from './check-collection.ts';
import type { ImportReport, ImportTask } from './import-snapshot.ts';

type Progress = Extract<ImportReport, { readonly kind: 'copied' | 'checked' }>;

export async function importAndCheck(
  { file, directory, part }: ImportTask,
  report: (progress: Progress) => void = () => undefined,
): Promise<void> {
  await importCollection({ file, directory, onProgress: (bytes) => report({ kind: 'copied', bytes }) });
  const storage = openCollectionStorage({ directory });
  try {
    await checkCollection(storage, { part, onProgress: (rows) => report({ kind: 'checked', rows }) });
  } finally {
    storage.close();
  }
}
