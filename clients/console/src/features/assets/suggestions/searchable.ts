import type { Asset } from '@sextant/sdk';

/** Whether assets of the kind can be searched for wrong cells: files can. */
export function isSearchable(type: Asset['type']): boolean {
  return type !== 'VECTOR_COLLECTION' && type !== 'POSTGRESQL' && type !== 'SPARK';
}
