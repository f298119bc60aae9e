import type { CollectionInfo } from '@sextant/sdk';
import type { VectorField } from './queries.ts';

/** What every part of a collection's screen is about. */
export type CollectionFacts = {
  readonly name: string;
  readonly info: CollectionInfo;
  readonly fields: readonly VectorField[];
};
