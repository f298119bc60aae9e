// SPDX-License-Identifier: Apache-2.0
/** The one model of texts that needs no configuration; it makes sparse vectors. Its name counts in any case. */
const BM25 = /^qdrant\/bm25$/i;

export function isBm25(model: string): boolean {
  return BM25.test(model);
}
