/**
 * What one request may ask of a collection, and how many may ask. Nothing holds until `enabled` is true; a limit that is left out does not bind.
 * Names and meanings are those of the published API: https://qdrant.tech/documentation/guides/administration/#strict-mode
 */
import { maybe, positive, schemaOf, strict, count as whole } from '@sextant/foundation-contract';
import Type from 'typebox';
import { namedVectors } from './point-schemas.ts';

export type StrictModeConfig = {
  readonly enabled?: boolean | null;
  /** Points of one answer: `limit`, of groups times their size, of a matrix times its sample. */
  readonly max_query_limit?: number | null;
  /** In seconds. */
  readonly max_timeout?: number | null;
  /** Whether reads may filter by, compute with, or group by a key that has no index for it. */
  readonly unindexed_filtering_retrieve?: boolean | null;
  /** The same for writes by filter. */
  readonly unindexed_filtering_update?: boolean | null;
  readonly search_max_hnsw_ef?: number | null;
  readonly search_allow_exact?: boolean | null;
  readonly search_max_oversampling?: number | null;
  /** Points of one upsert, or of one update of vectors. */
  readonly upsert_max_batchsize?: number | null;
  /** Searches of one batch. */
  readonly search_max_batchsize?: number | null;
  /** Of vectors, and of payloads; docs/how-to/strict-mode.md says what is counted. */
  readonly max_collection_vector_size_bytes?: number | null;
  readonly max_collection_payload_size_bytes?: number | null;
  /** Operations per minute, on all threads together. */
  readonly read_rate_limit?: number | null;
  readonly write_rate_limit?: number | null;
  readonly max_points_count?: number | null;
  readonly filter_max_conditions?: number | null;
  /** Items of one condition: listed values, ids, corners of a polygon. */
  readonly condition_max_size?: number | null;
  /** By the vector's name; the unnamed one has the empty name. */
  readonly multivector_config?: { readonly [name: string]: { readonly max_vectors?: number | null } } | null;
  readonly sparse_config?: { readonly [name: string]: { readonly max_length?: number | null } } | null;
  readonly max_payload_index_count?: number | null;
  /** Of the memory of the machine or container, what the process may hold before writes that need more are refused. */
  readonly max_resident_memory_percent?: number | null;
};

export const strictModeConfigSchema = schemaOf<StrictModeConfig>()(
  strict(
    {
      enabled: maybe(Type.Boolean()),
      max_query_limit: maybe(positive),
      max_timeout: maybe(positive),
      unindexed_filtering_retrieve: maybe(Type.Boolean()),
      unindexed_filtering_update: maybe(Type.Boolean()),
      search_max_hnsw_ef: maybe(whole),
      search_allow_exact: maybe(Type.Boolean()),
      search_max_oversampling: maybe(Type.Number({ minimum: 0 })),
      upsert_max_batchsize: maybe(whole),
      search_max_batchsize: maybe(whole),
      max_collection_vector_size_bytes: maybe(whole),
      max_collection_payload_size_bytes: maybe(whole),
      read_rate_limit: maybe(positive),
      write_rate_limit: maybe(positive),
      max_points_count: maybe(positive),
      filter_max_conditions: maybe(whole),
      condition_max_size: maybe(whole),
      multivector_config: maybe(namedVectors(strict({ max_vectors: maybe(positive) }, { title: 'StrictModeMultivector' }))),
      sparse_config: maybe(namedVectors(strict({ max_length: maybe(positive) }, { title: 'StrictModeSparse' }))),
      max_payload_index_count: maybe(whole),
      max_resident_memory_percent: maybe(Type.Integer({ minimum: 1, maximum: 100 })),
    },
    { title: 'StrictModeConfig' },
  ),
);
