// SPDX-License-Identifier: Apache-2.0
import type { Asset } from '@sextant/sdk';

const VECTOR_KINDS: readonly Asset['type'][] = ['VECTOR_COLLECTION', 'QDRANT', 'PGVECTOR'];

/** Whether assets of the kind are collections of points with vectors. */
export function isVectorKind(type: Asset['type']): boolean {
  return VECTOR_KINDS.includes(type);
}
