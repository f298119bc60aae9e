// SPDX-License-Identifier: Apache-2.0
/**
 * Answers from a folder of documents: `node main.ts FOLDER "a question"`. It cuts each document into passages, lets the vector service make vectors of them,
 * and prints a prompt of the passages nearest to the question, with their sources, for whichever language model you use.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VectorClient } from '@sextant/sdk';

const {
  SEXTANT_URL: url = 'http://127.0.0.1:6573',
  SEXTANT_API_KEY: apiKey,
  MODEL: model = 'nomic-embed-text',
  DIMENSIONS = '768',
} = process.env;
const [folder, question] = process.argv.slice(2);
if (folder === undefined || question === undefined) throw new Error('Say which folder, and what you want to know.');

const COLLECTION = 'documents';
const PASSAGE_LENGTH = 800;
/** The service takes 1,000 texts in a request. */
const BATCH = 200;

type Passage = { readonly source: string; readonly text: string };

/** Paragraphs, put together until they are long enough to say something. */
function passagesOf(source: string): readonly Passage[] {
  const passages: Passage[] = [];
  let text = '';
  for (const paragraph of readFileSync(join(folder ?? '', source), 'utf8').split(/\n\s*\n/)) {
    if (text !== '' && text.length + paragraph.length > PASSAGE_LENGTH) {
      passages.push({ source, text });
      text = '';
    }
    text = `${text}\n\n${paragraph}`.trim();
  }
  return text === '' ? passages : [...passages, { source, text }];
}

/** The same passage has the same id, so that a second run writes nothing twice. */
function idOf({ source, text }: Passage): string {
  const hex = createHash('sha256').update(`${source}\0${text}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

const client = new VectorClient({ url, ...(apiKey !== undefined && { apiKey }) });
if (!(await client.collectionExists(COLLECTION))) {
  await client.createCollection(COLLECTION, { vectors: { size: Number(DIMENSIONS), distance: 'Cosine' } });
}
const documents = client.collection<Passage>(COLLECTION);

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(md|txt)$/.test(file));
const passages = files.flatMap(passagesOf).map((passage) => ({ id: idOf(passage), passage }));
let written = 0;
for (let start = 0; start < passages.length; start += BATCH) {
  const batch = passages.slice(start, start + BATCH);
  const known = await documents.retrieve({ ids: batch.map(({ id }) => id), with_payload: false, with_vector: false });
  const there = new Set(known.map(({ id }) => id));
  const added = batch.filter(({ id }) => !there.has(id));
  // A text stands where a vector may; the payload keeps it for the prompt.
  await documents.upsert(added.map(({ id, passage }) => ({ id, vector: { text: passage.text, model }, payload: { ...passage } })));
  written += added.length;
}
// What is no longer in the folder should not be answered with.
await documents.deletePoints({ must_not: [{ has_id: passages.map(({ id }) => id) }] });
console.error(`${files.length} documents, ${passages.length} passages, ${written} of them new`);

const hits = await documents.query({ query: { text: question, model }, limit: 4, with_payload: true });
const context = hits.map(({ payload }, index) => `[${index + 1}] ${payload?.source}\n${payload?.text}`);
console.log(
  `Answer from these passages only, and name the number of each that you use.\n\n${context.join('\n\n')}\n\nQuestion: ${question}`,
);
