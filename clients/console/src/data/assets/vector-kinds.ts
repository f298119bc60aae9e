// SPDX-License-Identifier: Apache-2.0
import type { Asset } from '@sextant/sdk';

type Kind = Asset['type'];

const VECTOR_KINDS: readonly Kind[] = ['VECTOR_COLLECTION', 'QDRANT', 'PGVECTOR', 'LANCEDB', 'MILVUS'];
const FILE_KINDS: readonly Kind[] = ['FILE', 'UPLOAD', 'S3', 'GCS', 'AZURE'];

export function isFileKind(type: Kind): boolean {
  return FILE_KINDS.includes(type);
}

/** Whether an asset holds points with vectors: all of such kinds do, and files whose payload names the columns of vectors. */
export function holdsVectors({ type, payload }: Pick<Asset, 'type' | 'payload'>): boolean {
  return VECTOR_KINDS.includes(type) || (isFileKind(type) && (payload.vectors ?? null) !== null);
}
