// SPDX-License-Identifier: Apache-2.0
/** The making of vectors of texts in the metrics. */
import type { Figure } from '@sextant/foundation-service/http';
import type { EmbeddingFigures } from './embedder.ts';

export function embeddingMetrics({ texts, cached, requests, failures, cacheBytes }: EmbeddingFigures): readonly Figure[] {
  return [
    { name: 'embedding_texts', help: 'Texts to embed since the start', value: texts },
    { name: 'embedding_texts_cached', help: 'Texts whose vectors were in the cache since the start', value: cached },
    { name: 'embedding_requests', help: 'Requests to embedding models since the start', value: requests },
    { name: 'embedding_failures', help: 'Failed requests to embedding models since the start', value: failures },
    { name: 'embedding_cache_bytes', help: 'Size of the cache of embedded texts, in bytes', value: cacheBytes },
  ];
}
