// SPDX-License-Identifier: Apache-2.0
/**
 * Members of bodies that clients of other revisions of the API family send, beside those of the schemas. Where such a member would have meant something
 * for the answer, it stays refused by its name: `init_from` of old clients, for example, asks for data to be copied.
 */

/** Other names of members, by operation; both at once are refused. */
export const MEMBER_ALIASES: { readonly [operation: string]: { readonly [alias: string]: string } } = {
  create_collection: { quantization: 'quantization_config', optimizer_config: 'optimizers_config' },
  update_collection: { quantization: 'quantization_config', optimizer_config: 'optimizers_config' },
};

/** Members without effect, by operation; `[]` stands for each item of an array. */
export const IGNORED_MEMBERS: { readonly [operation: string]: readonly string[] } = {
  /** What `GET` answers of a collection, sent back. */
  create_collection: ['uuid'],
  /** Whole points, of which only the vectors are taken. */
  update_vectors: ['points[].payload'],
  batch_update: ['operations[].update_vectors.points[].payload'],
  /** In the query string it counts. */
  recover_snapshot: ['wait'],
  recover_named_snapshot: ['wait'],
};

/** What becomes of members that no schema knows: all refused, those of `IGNORED_MEMBERS` ignored, or all ignored. */
export const UNKNOWN_MEMBERS = ['refuse', 'known', 'ignore'] as const;
export type UnknownMembers = (typeof UNKNOWN_MEMBERS)[number];
