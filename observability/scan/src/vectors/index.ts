// SPDX-License-Identifier: Apache-2.0
/** The checks of vectors alone, for programs that have no service: nothing here needs a scan engine. */
export type { NearestPoint, NearestSearch, VectorCollectionAccess, VectorPoint } from '@sextant/observability-connectors';
export {
  COMPONENT_TYPES,
  type ComponentType,
  type Layout,
  LayoutError,
  npyLayout,
  readBytes,
} from '@sextant/observability-connectors/fixed-width';
export { SourceError } from '@sextant/observability-connectors/source';
export { checkVectors, type VectorCheckOptions } from './check/check-vectors.ts';
export type { Finding, FindingStatus, VectorReport } from './check/finding.ts';
