// SPDX-License-Identifier: Apache-2.0
/** The providers that the operator has configured, behind one embedder. */
import { createOutboundGuard } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import type { VectorConfiguration } from '../configuration.ts';
import { Embedder } from './embedder.ts';
import { openAiProvider } from './openai-provider.ts';
import { VectorCache } from './vector-cache.ts';

type EmbeddingConfiguration = Pick<
  VectorConfiguration,
  'embeddingUrl' | 'embeddingApiKey' | 'embeddingModels' | 'embeddingTimeoutSeconds' | 'embeddingBatch' | 'embeddingCacheBytes'
>;

/** The names of the models that make dense vectors of texts; none where none is configured. */
export function denseModelsOf({
  embeddingUrl,
  embeddingModels,
}: Pick<EmbeddingConfiguration, 'embeddingUrl' | 'embeddingModels'>): readonly string[] {
  return embeddingUrl === undefined ? [] : embeddingModels;
}

export function openEmbedder(configuration: EmbeddingConfiguration, clock: Clock): Embedder {
  const { embeddingUrl: url, embeddingApiKey: apiKey, embeddingModels: models, embeddingBatch: batchMax } = configuration;
  const timeoutMs = configuration.embeddingTimeoutSeconds * 1000;
  // The operator, and no caller, says where the endpoint is: it may well be inside of the network.
  const guard = createOutboundGuard({ allowPrivateNetworks: true });
  const providers = url === undefined ? [] : [openAiProvider({ url, apiKey, models, batchMax, timeoutMs }, { guard, clock })];
  return new Embedder(providers, new VectorCache(configuration.embeddingCacheBytes));
}
