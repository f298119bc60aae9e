// SPDX-License-Identifier: Apache-2.0
import type { NearestPoint, NearestSearch, VectorPoint } from '../connector.ts';

export type LanceRequest =
  | { readonly kind: 'list'; readonly directory: string; readonly limit: number }
  | { readonly kind: 'open'; readonly directory: string; readonly table: string; readonly id: string | undefined }
  /** The first page again, or the one behind the last. */
  | { readonly kind: 'page'; readonly isFirst: boolean }
  | { readonly kind: 'nearest'; readonly searches: readonly NearestSearch[] };

export type LanceTable = {
  readonly rows: number;
  /** Undefined where a vector has no index. */
  readonly indexed: number | undefined;
  readonly dimensions: { readonly [vector: string]: number };
  /** Whether points can be searched for by their ids. */
  readonly hasIds: boolean;
};

export type LanceAnswer =
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'table'; readonly table: LanceTable }
  /** Undefined behind the last one. */
  | { readonly kind: 'page'; readonly points: readonly VectorPoint[] | undefined }
  | { readonly kind: 'nearest'; readonly found: readonly (readonly NearestPoint[])[] }
  /** The sentence is for the person who configured the source. */
  | { readonly kind: 'refused'; readonly reason: string; readonly member: string | undefined }
  /** No answer: the process ends itself. */
  | { readonly kind: 'ended'; readonly reason: string };
