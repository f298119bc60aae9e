// SPDX-License-Identifier: Apache-2.0
/** The LangChain vector store, unchanged, with an embedding that needs no model: how often each letter occurs. */
import { Document } from '@langchain/core/documents';
import { Embeddings } from '@langchain/core/embeddings';
import { QdrantVectorStore } from '@langchain/qdrant';
import { expect, test } from 'vitest';
import { sharedVectorServer } from '../shared-server.ts';

class LetterEmbeddings extends Embeddings {
  override async embedQuery(text: string): Promise<number[]> {
    const counts = Array.from({ length: 26 }, () => 0);
    for (const letter of text.toLowerCase()) {
      const position = letter.charCodeAt(0) - 'a'.charCodeAt(0);
      if (position >= 0 && position < 26) counts[position] = (counts[position] ?? 0) + 1;
    }
    return counts;
  }

  override embedDocuments(texts: string[]): Promise<number[][]> {
    return Promise.all(texts.map((text) => this.embedQuery(text)));
  }
}

test('@langchain/qdrant stores texts, finds them by similarity and filter, and deletes them', async () => {
  const server = await sharedVectorServer();
  const embeddings = new LetterEmbeddings({});
  const store = await QdrantVectorStore.fromTexts(
    ['a sextant measures angles', 'a compass shows north', 'salt water everywhere'],
    [{ kind: 'tool' }, { kind: 'tool' }, { kind: 'sea' }],
    embeddings,
    { url: server.address, collectionName: 'notes' },
  );

  const [best] = await store.similaritySearchWithScore('sextant angle measures', 1);
  expect(best?.[0]).toMatchObject({ pageContent: 'a sextant measures angles', metadata: { kind: 'tool' } });
  expect(best?.[1]).toBeGreaterThan(0.9);

  const filter = { must: [{ key: 'metadata.kind', match: { value: 'sea' } }] };
  const filtered = await store.similaritySearch('a sextant', 3, filter);
  expect(filtered.map(({ pageContent }) => pageContent)).toEqual(['salt water everywhere']);

  const ids = ['11111111-2222-4333-8444-555555555555', '66666666-7777-4888-9999-aaaaaaaaaaaa'];
  await store.addDocuments([new Document({ pageContent: 'zzz' }), new Document({ pageContent: 'xxx' })], { customPayload: [], ids });
  const [added] = await store.similaritySearch('zz', 1);
  expect(added).toMatchObject({ id: ids[0], pageContent: 'zzz' });

  await store.delete({ ids });
  await store.delete({ filter });
  const existing = await QdrantVectorStore.fromExistingCollection(embeddings, { url: server.address, collectionName: 'notes' });
  const left = await existing.similaritySearch('anything', 10);
  expect(left.map(({ pageContent }) => pageContent).toSorted()).toEqual(['a compass shows north', 'a sextant measures angles']);
});
