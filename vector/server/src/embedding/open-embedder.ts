// SPDX-License-Identifier: Apache-2.0
/** The providers that the operator has configured, behind one embedder. */
import { createOutboundGuard } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import type { VectorConfiguration } from '../configuration.ts';
import { modelNameOf } from '../model-place.ts';
import { Embedder } from './embedder.ts';
import { ModelFolderError } from './onnx/model-folder.ts';
import { OnnxModel } from './onnx/onnx-model.ts';
import { onnxProvider } from './onnx/onnx-provider.ts';
import { loadOnnxPackages } from './onnx/packages.ts';
import { openAiProvider } from './openai-provider.ts';
import { VectorCache } from './vector-cache.ts';

type EmbeddingConfiguration = Pick<
  VectorConfiguration,
  | 'embeddingUrl'
  | 'embeddingApiKey'
  | 'embeddingModels'
  | 'embeddingOnnxFolders'
  | 'embeddingThreads'
  | 'embeddingTimeoutSeconds'
  | 'embeddingBatch'
  | 'embeddingCacheBytes'
>;

/** The names of the models that make dense vectors of texts; none where none is configured. */
export function denseModelsOf({
  embeddingUrl,
  embeddingModels,
  embeddingOnnxFolders,
}: Pick<EmbeddingConfiguration, 'embeddingUrl' | 'embeddingModels' | 'embeddingOnnxFolders'>): readonly string[] {
  return [...(embeddingUrl === undefined ? [] : embeddingModels), ...embeddingOnnxFolders.map(modelNameOf)];
}

/** Loads the models that lie in folders. A string says why one cannot be served, for the operator. */
export async function openEmbedder(configuration: EmbeddingConfiguration, clock: Clock): Promise<Embedder | string> {
  const { embeddingUrl: url, embeddingApiKey: apiKey, embeddingModels: models, embeddingBatch: batchMax } = configuration;
  const timeoutMs = configuration.embeddingTimeoutSeconds * 1000;
  const opened = await openModels(configuration);
  if (typeof opened === 'string') return opened;
  // The operator, and no caller, says where the endpoint is: it may well be inside of the network.
  const guard = createOutboundGuard({ allowPrivateNetworks: true });
  const providers = [
    ...(url === undefined ? [] : [openAiProvider({ url, apiKey, models, batchMax, timeoutMs }, { guard, clock })]),
    ...(opened.length === 0 ? [] : [onnxProvider({ models: opened, batchMax, timeoutMs }, clock)]),
  ];
  return new Embedder(providers, new VectorCache(configuration.embeddingCacheBytes));
}

async function openModels({
  embeddingOnnxFolders: places,
  embeddingThreads: threads,
}: EmbeddingConfiguration): Promise<OnnxModel[] | string> {
  if (places.length === 0) return [];
  const packages = loadOnnxPackages();
  if (typeof packages === 'string') return `SERVICE_EMBEDDING_ONNX_FOLDERS: ${packages}`;
  const models: OnnxModel[] = [];
  try {
    for (const place of places) models.push(await OnnxModel.open(place, threads, packages));
    return models;
  } catch (error) {
    for (const model of models) await model.close();
    if (error instanceof ModelFolderError) return `SERVICE_EMBEDDING_ONNX_FOLDERS: ${error.message}`;
    throw error;
  }
}
