// SPDX-License-Identifier: Apache-2.0
export { importCollection } from './collection-import.ts';
export { type CollectionLocation, createCollectionStorage, openCollectionReader, openCollectionStorage } from './collection-storage.ts';
export { DATA_FILE, type DataFileState, dataFileState } from './data-file.ts';
export { documentOf, documentText } from './document-text.ts';
export { comparePointIds } from './point-id.ts';
export { POSTING_KEY_BYTES_MAX } from './posting-key.ts';
export { RowSet } from './row-set.ts';
export { SPARSE_BLOCK_ROWS } from './sparse-lists.ts';
export type {
  PointHead,
  RowRange,
  SpaceKind,
  SparseBlock,
  SparseComponents,
  StorageReader,
  StorageTransaction,
  StorageWriter,
  StoredPoint,
  WrittenVectors,
} from './storage.ts';
export { DamagedError, StorageError } from './storage-error.ts';
export { openSystemStorage, type SystemChange, type SystemStorage } from './system-storage.ts';
