// SPDX-License-Identifier: Apache-2.0
/**
 * Product search: `node main.ts "what somebody types"`. Meaning (a dense vector of the model) finds what is called otherwise, words (BM25) find names and numbers;
 * both rankings are fused. Filters keep to what is in stock, and what sells well comes first among equals.
 */
import { readFileSync } from 'node:fs';
import { VectorClient } from '@sextant/sdk';

const {
  SEXTANT_URL: url = 'http://127.0.0.1:6573',
  SEXTANT_API_KEY: apiKey,
  MODEL: model = 'nomic-embed-text',
  DIMENSIONS = '768',
} = process.env;
const [wanted = 'warm jacket for rain'] = process.argv.slice(2);

type Product = {
  readonly name: string;
  readonly description: string;
  readonly price: number;
  readonly stock: number;
  readonly sold: number;
};
type Row = Product & { readonly id: number };

const COLLECTION = 'products';
const BM25 = 'Qdrant/bm25';
const products = JSON.parse(readFileSync(new URL('./products.json', import.meta.url), 'utf8')) as readonly Row[];

const client = new VectorClient({ url, ...(apiKey !== undefined && { apiKey }) });
if (!(await client.collectionExists(COLLECTION))) {
  await client.createCollection(COLLECTION, {
    vectors: { meaning: { size: Number(DIMENSIONS), distance: 'Cosine' } },
    sparse_vectors: { words: { modifier: 'idf' } },
  });
  await client.collection(COLLECTION).createFieldIndex('stock', 'integer');
}
const shop = client.collection<Product>(COLLECTION);
await shop.upsert(
  products.map(({ id, ...product }) => {
    const text = `${product.name}. ${product.description}`;
    return { id, vector: { meaning: { text, model }, words: { text, model: BM25, options: { avg_len: 12 } } }, payload: product };
  }),
);

const inStock = { must: [{ key: 'stock', range: { gt: 0 } }] };
const hits = await shop.query({
  prefetch: [
    {
      prefetch: [
        { query: { text: wanted, model }, using: 'meaning', filter: inStock, limit: 20 },
        { query: { text: wanted, model: BM25, options: { avg_len: 12 } }, using: 'words', filter: inStock, limit: 20 },
      ],
      query: { fusion: 'rrf' },
      limit: 20,
    },
  ],
  // A thousand sold count as much as a tenth of a first rank.
  query: { formula: { sum: ['$score', { mult: [0.00005, 'sold'] }] }, defaults: { sold: 0 } },
  limit: 3,
  with_payload: true,
});
for (const { id, score, payload } of hits) console.log(`${score.toFixed(3)}  ${id}  ${payload?.name}, ${payload?.price}`);
