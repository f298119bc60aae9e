// SPDX-License-Identifier: Apache-2.0
export {
  type AssetLocation,
  type ClusterState,
  type Column,
  type Connector,
  type DelimitedReading,
  type Description,
  type FileFormat,
  type FileToScan,
  type InputNormInterval,
  type ListedItem,
  type NearestPoint,
  type NearestSearch,
  type OpenConnection,
  type OpenedSource,
  type OpenOptions,
  type PostgresAccess,
  type PostgresRelation,
  SourceError,
  type SparkAccess,
  type SparkProgress,
  type VectorCollectionAccess,
  type VectorColumns,
  type VectorPoint,
} from './connector.ts';
export { createFileConnector } from './files/file-connector.ts';
export { openUploadArea, type Upload, type UploadArea, UploadError } from './files/upload-area.ts';
export { relationSql } from './postgresql/postgresql-connector.ts';
export { type Connectors, type ConnectorsOptions, createConnectors } from './registry.ts';
export { validateUnserved } from './unserved-kinds.ts';
