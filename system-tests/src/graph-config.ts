// SPDX-License-Identifier: Apache-2.0
import type { CreateCollection } from '@sextant/contracts-vector';

/**
 * Builds the graph from the first vectors on and searches it however few they are. By default a small collection is scanned, which is
 * always right and would leave the graph untested.
 */
export const GRAPH_ALWAYS = {
  hnsw_config: { full_scan_threshold: 1 },
  optimizers_config: { indexing_threshold: 1 },
} satisfies Partial<CreateCollection>;
