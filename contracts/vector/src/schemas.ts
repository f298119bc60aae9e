// SPDX-License-Identifier: Apache-2.0
/**
 * The schemas, and what is made of them. An entry of its own, since the library of schemas takes a thread a tenth of a second to load, and most
 * threads let no outside data in: they do with the types, the errors and the ids of the index.
 */
export { fits } from '@sextant/foundation-contract';
export { collectionNameSchema, VECTOR_SIZE_MAX } from './collection-schemas.ts';
export { endpoints, isOperationId } from './endpoints.ts';
export { MATRIX_DEFAULTS } from './matrix-schemas.ts';
export { openApiDocument } from './openapi.ts';
export { sparseNameSchema, vectorNameSchema } from './point-schemas.ts';
export { keyedSnapshotManifestSchema, shardedSnapshotManifestSchema, snapshotManifestSchema } from './snapshot-schemas.ts';
export { dropUnknownMembers } from './unknown-members.ts';
export { validate } from './validate.ts';
