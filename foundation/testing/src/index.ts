// SPDX-License-Identifier: Apache-2.0
export { ANY_CHARACTER } from './any-character.ts';
export { type CertificateAuthority, certificateAuthority, type IssuedCertificate, opensslProblem } from './certificates.ts';
export { type Changes, changedJson, jsonWith } from './changed-json.ts';
export { type ChildServer, ChildServerError, type ChildServerOptions, startServer } from './child-server.ts';
export { type Answered, type Conformance, conformanceTo } from './conformance.ts';
export { type EmbeddingEndpoint, embeddingEndpoint, wordVector } from './embedding-endpoint.ts';
export { readFlags } from './flags.ts';
export { freePort } from './free-port.ts';
export {
  type ClientTls,
  type JsonClient,
  type JsonClientOptions,
  type JsonReply,
  type JsonRequestOptions,
  jsonClient,
} from './json-client.ts';
export { leakedPath } from './leaked-path.ts';
export { isLinearizable, type RegisterAction, type RegisterOperation, type RegisterValue } from './linearizability.ts';
export { loadedModules } from './loaded-modules.ts';
export { isLongRun, LONG_VARIABLE, roundsOf, type Sizes } from './long-run.ts';
export { missingNats, type TemporaryNats, temporaryNats } from './nats.ts';
export {
  hasOnnx,
  MINILM_FOLDER,
  ONNX_PACKAGES,
  SMALL_TOKENIZER,
  TOKEN_VECTORS,
  tableGraph,
  writeModelFolder,
} from './onnx-model-folder.ts';
export { OTLP_PROTOCOLS, type OtlpReceiver, otlpReceiver, type ReceivedSpan } from './otlp-receiver.ts';
export { pauseProcess } from './pause-process.ts';
export { type SharedPostgres, sharedPostgres, type TemporaryPostgres, temporaryPostgres } from './postgres.ts';
export { missingPostgres } from './postgres-binaries.ts';
export { chooseSeed, SEED_VARIABLE, withSeed } from './seed.ts';
export { openSmallDisk, type SmallDisk, smallDiskProblem } from './small-disk.ts';
export { type TemporaryDirectory, temporaryDirectory } from './temporary-directory.ts';
