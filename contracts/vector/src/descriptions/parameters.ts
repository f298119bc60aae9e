// SPDX-License-Identifier: Apache-2.0
/** Parameters of paths and query strings. */
export const PARAMETERS = {
  collection_name: 'The name of a collection, or an alias of it.',
  vector_name: 'The name of a vector.',
  field_name: 'The key of an indexed member of payloads.',
  id: 'The id of the point.',
  peer_id: 'Number of the node.',
  token_id: 'Number of the token.',
  snapshot_name: 'The name of the snapshot.',
  timeout: 'Seconds after which the request is given up.',
  wait: 'Whether the answer waits until the write is applied; it is on disk in any case.',
  ordering: 'Accepted; all nodes have the writes of a collection in one order.',
  consistency:
    'In a cluster, `majority`, `quorum`, `all` or a number above 1 lets the node answer with everything that was written before.',
  force: 'Whether the node is removed although shards are placed on it; those of which other nodes have copies get new ones.',
  per_collection: 'Whether there are figures for each collection.',
  anonymize: 'Whether names of collections are replaced by hashes.',
  details_level: 'From 1 on, collections are listed; from 2 on, with what they hold.',
  with: 'What is listed besides what runs: `queued`, `completed`, `idle_segments`, joined by commas.',
  completed_limit: 'Most of the work that is done.',
} as const;
