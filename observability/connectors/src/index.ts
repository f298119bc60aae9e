// SPDX-License-Identifier: Apache-2.0
export {
  type AssetLocation,
  type ClusterState,
  type Column,
  type Connector,
  type DelimitedReading,
  type Description,
  type FileFormat,
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
export { relationSql } from './postgresql/postgresql-connector.ts';
export { type Connectors, type ConnectorsOptions, createConnectors } from './registry.ts';
export { asFile, fileAddress, isSeenBy } from './spark/file-on-spark.ts';
export { type StoreLocation, StoreLocationError, storeLocation } from './store-location.ts';
export { validateUnserved } from './unserved-kinds.ts';
export { openFolderArea } from './uploads/folder-area.ts';
export { type Upload, type UploadArea, UploadError } from './uploads/upload-area.ts';
