import type { CreateCollection } from '@sextant/contracts-vector';
import { GRAPH_ALWAYS } from '../graph-config.ts';
import { DIMENSION } from './ledger.ts';

/** With a graph, so that a crash meets it at work. */
export const COLLECTION_CONFIG: CreateCollection = {
  vectors: { size: DIMENSION, distance: 'Euclid' },
  ...GRAPH_ALWAYS,
};
