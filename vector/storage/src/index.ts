export { RowSet } from './row-set.ts';
export type { StorageReader, StorageTransaction, StorageWriter, StoredPoint } from './storage.ts';
