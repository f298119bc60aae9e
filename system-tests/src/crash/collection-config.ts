import type { CreateCollection } from '@sextant/contracts-vector';
import { DIMENSION } from './ledger.ts';

/** The graph is built and searched from the first vectors on, so that a crash meets it at work. */
export const COLLECTION_CONFIG: CreateCollection = {
  vectors: { size: DIMENSION, distance: 'Euclid' },
  hnsw_config: { m: 8, ef_construct: 32, full_scan_threshold: 10 },
  optimizers_config: { indexing_threshold: 1 },
};
