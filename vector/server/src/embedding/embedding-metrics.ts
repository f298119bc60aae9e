// SPDX-License-Identifier: Apache-2.0
/** The making of vectors of texts in the metrics. */
import type { Figure } from '@sextant/foundation-service/http';
import type { EmbeddingFigures } from './embedder.ts';

export function embeddingMetrics({ texts, cached, requests, failures, cacheBytes }: EmbeddingFigures): readonly Figure[] {
  return [
    { name: 'embedding_texts', help: 'Texts that models were to make vectors of since the start', value: texts },
    { name: 'embedding_texts_cached', help: 'Those of them whose vectors were still known', value: cached },
    { name: 'embedding_requests', help: 'Requests to models since the start', value: requests },
    { name: 'embedding_failures', help: 'Requests to models that failed', value: failures },
    { name: 'embedding_cache_bytes', help: 'Memory that vectors of known texts take', value: cacheBytes },
  ];
}
