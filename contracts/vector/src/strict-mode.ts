// SPDX-License-Identifier: Apache-2.0
/**
 * What one request may ask of a collection, and how many may ask. Nothing holds until `enabled` is true; a limit that is left out does not bind.
 * Names and meanings are those of the published API: https://qdrant.tech/documentation/guides/administration/#strict-mode
 */
import { maybe, positive, type Static, strict, count as whole } from '@sextant/foundation-contract';
import Type from 'typebox';
import { namedVectors } from './point-schemas.ts';

export const strictModeConfigSchema = strict(
  {
    enabled: maybe(Type.Boolean()),
    /** Points of one answer: `limit`, of groups times their size, of a matrix times its sample. */
    max_query_limit: maybe(positive),
    /** In seconds. */
    max_timeout: maybe(positive),
    /** Whether reads may filter by, compute with, or group by a key that has no index for it. */
    unindexed_filtering_retrieve: maybe(Type.Boolean()),
    /** The same for writes by filter. */
    unindexed_filtering_update: maybe(Type.Boolean()),
    search_max_hnsw_ef: maybe(whole),
    search_allow_exact: maybe(Type.Boolean()),
    search_max_oversampling: maybe(Type.Number({ minimum: 0 })),
    /** Points of one upsert, or of one update of vectors. */
    upsert_max_batchsize: maybe(whole),
    /** Searches of one batch. */
    search_max_batchsize: maybe(whole),
    /** Of vectors, and of payloads; docs/how-to/strict-mode.md says what is counted. */
    max_collection_vector_size_bytes: maybe(whole),
    max_collection_payload_size_bytes: maybe(whole),
    /** Operations per minute, on all threads together. */
    read_rate_limit: maybe(positive),
    write_rate_limit: maybe(positive),
    max_points_count: maybe(positive),
    filter_max_conditions: maybe(whole),
    /** Items of one condition: listed values, ids, corners of a polygon. */
    condition_max_size: maybe(whole),
    /** By the vector's name; the unnamed one has the empty name. */
    multivector_config: maybe(namedVectors(strict({ max_vectors: maybe(positive) }, { title: 'StrictModeMultivector' }))),
    sparse_config: maybe(namedVectors(strict({ max_length: maybe(positive) }, { title: 'StrictModeSparse' }))),
    max_payload_index_count: maybe(whole),
    /** Of the memory of the machine or container, what the process may hold before writes that need more are refused. */
    max_resident_memory_percent: maybe(Type.Integer({ minimum: 1, maximum: 100 })),
  },
  { title: 'StrictModeConfig' },
);
export type StrictModeConfig = Static<typeof strictModeConfigSchema>;
