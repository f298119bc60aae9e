// SPDX-License-Identifier: Apache-2.0
/**
 * Points of real texts and a real model: paragraphs of the documentation that the installed packages bring, with the vectors that all-MiniLM-L6-v2 makes of
 * them in the vector service. A topic is a folder. No paragraph is drawn twice.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Random, seededRandom } from '@sextant/foundation-std';
import { hasOnnx, MINILM_FOLDER, ONNX_PACKAGES } from '@sextant/foundation-testing';
import { VectorClient } from '@sextant/sdk';
import { startVectorServer } from '../vector-server.ts';
import { chosen, type EmbeddedPoint, type EmbeddingCorpus } from './embedding-corpus.ts';

const PACKAGES = join(import.meta.dirname, '../../../node_modules');
const EMBEDDINGS = join(import.meta.dirname, '../../../.cache/vector-quality/embeddings');
const MODEL = 'all-MiniLM-L6-v2';
const DIMENSION = 384;
const TOPICS = 200;
/** Of one topic, so that none is most of all. */
const PARAGRAPHS_MAX = 700;
const CHARACTERS = { least: 80, most: 600 };
const WORDS_LEAST = 12;
const DEPTH_MAX = 8;
/** Its place by size. */
const UNKNOWN = 2;
const BATCH = 64;
const LANGUAGES = ['en', 'de', 'fr'];

type Paragraph = { readonly topic: number; readonly text: string; readonly vector: Float32Array };

export async function documentationCorpus(
  seed: number,
  { directory, onProgress }: { readonly directory: string; readonly onProgress: (line: string) => void },
): Promise<EmbeddingCorpus> {
  if (!hasOnnx) throw new Error('the model is not installed: .ci/run installs it');
  const folders = [...textsByFolder()].toSorted(([, one], [, other]) => other.length - one.length).slice(0, TOPICS + 1);
  // The one that is not known has enough for a fault of one point in twenty.
  const topics = [...folders.toSpliced(UNKNOWN, 1), ...folders.slice(UNKNOWN, UNKNOWN + 1)];
  const random = seededRandom(seed);
  const texts = topics.flatMap(([, own], topic) =>
    shuffled(own, random)
      .slice(0, PARAGRAPHS_MAX)
      .map((text) => ({ topic, text })),
  );
  onProgress(`embedding ${texts.length} paragraphs of ${topics.length} folders`);
  const paragraphs = await embedded(texts, directory);
  const left = topics.map((_, topic) => paragraphs.filter((each) => each.topic === topic));
  const take = (id: number, topic: number): EmbeddedPoint => {
    // A folder that has no more gives way to the next.
    for (let turn = 0; turn < TOPICS; turn += 1) {
      const from = topic === TOPICS ? topic : (topic + turn) % TOPICS;
      const paragraph = left[from]?.pop();
      if (paragraph !== undefined) return pointOf(id, paragraph, random);
    }
    throw new Error('there are no more paragraphs; take fewer points or days');
  };
  const usual = left.slice(0, TOPICS).map(({ length }) => length);
  return {
    topics: usual,
    draw: (id, mix = usual) => take(id, chosen(mix, random)),
    drawUnknownTopic: (id) => take(id, TOPICS),
    ofOtherModel: (vector) => turned(vector),
  };
}

function textsByFolder(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const seen = new Set<string>();
  const walk = (folder: string, depth: number) => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && depth < DEPTH_MAX) walk(path, depth + 1);
      if (!entry.isFile() || !/\.md$/i.test(entry.name)) continue;
      const fresh = paragraphsOf(readFileSync(path, 'utf8')).filter((text) => !seen.has(text));
      for (const text of fresh) seen.add(text);
      const topic = relative(PACKAGES, dirname(path));
      found.set(topic, [...(found.get(topic) ?? []), ...fresh]);
    }
  };
  walk(PACKAGES, 0);
  return found;
}

/** Without code, addresses and marks of Markdown. */
function paragraphsOf(markdown: string): readonly string[] {
  const prose = markdown.replaceAll(/```.*?```/gs, '').replaceAll(/https?:\S+/g, '');
  return prose
    .split(/\n\s*\n/)
    .map((text) =>
      text
        .replaceAll(/[#*`>|[\]()-]+/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter(({ length }) => length >= CHARACTERS.least && length <= CHARACTERS.most)
    .filter((text) => (text.match(/[a-z]{2,}/g) ?? []).length >= WORDS_LEAST);
}

/** What an interrupted run has embedded is read from the folder of the cache, and the rest is added. */
async function embedded(
  texts: readonly { readonly topic: number; readonly text: string }[],
  directory: string,
): Promise<readonly Paragraph[]> {
  const vectors = storedVectors(texts.map(({ text }) => text));
  const start = vectors.count;
  if (start < texts.length) {
    await using server = await startVectorServer({
      directory: join(directory, 'embedding'),
      environment: { SERVICE_EMBEDDING_ONNX_FOLDERS: MINILM_FOLDER, NODE_PATH: ONNX_PACKAGES },
    });
    const client = new VectorClient({ url: server.address });
    await client.createCollection('paragraphs', { vectors: { size: DIMENSION, distance: 'Cosine' } });
    const collection = client.collection('paragraphs');
    for (let from = start; from < texts.length; from += BATCH) {
      const batch = texts.slice(from, from + BATCH).map(({ text }, at) => ({ id: from + at, vector: { text, model: MODEL }, payload: {} }));
      await collection.upsert(batch);
      const found = await collection.retrieve({ ids: batch.map(({ id }) => id), with_vector: true });
      const byId = new Map(found.map(({ id, vector }) => [Number(id), vector]));
      // Of an unnamed vector.
      vectors.add(batch.map(({ id }) => Float32Array.from(byId.get(id) as readonly number[])));
    }
  }
  const all = vectors.all();
  return texts.map(({ topic, text }, place) => ({ topic, text, vector: all[place] ?? new Float32Array(DIMENSION) }));
}

/** Of these texts in this order, one after the other in a file. */
function storedVectors(texts: readonly string[]) {
  const name = createHash('sha256')
    .update(JSON.stringify([MODEL, texts]))
    .digest('hex')
    .slice(0, 16);
  mkdirSync(EMBEDDINGS, { recursive: true });
  const path = join(EMBEDDINGS, `${name}.f32`);
  const vectorBytes = DIMENSION * Float32Array.BYTES_PER_ELEMENT;
  const before = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  // Whole vectors alone: what was written of one in part goes.
  const whole = before.subarray(0, before.length - (before.length % vectorBytes));
  writeFileSync(path, whole);
  return {
    count: whole.length / vectorBytes,
    add: (vectors: readonly Float32Array[]) => {
      for (const { buffer } of vectors) appendFileSync(path, new Uint8Array(buffer));
    },
    all: () => {
      const bytes = Uint8Array.from(readFileSync(path));
      return texts.map((_, place) => new Float32Array(bytes.buffer, place * vectorBytes, DIMENSION));
    },
  };
}

function pointOf(id: number, { topic, text, vector }: Paragraph, random: Random): EmbeddedPoint {
  return {
    id,
    topic,
    vectors: { '': vector },
    payload: { title: `paragraph ${id}`, text, language: LANGUAGES[random.integer(LANGUAGES.length)], price: random.integer(1000) },
  };
}

/** As another model would see it: all distances stay, and no direction means what it meant (components change places and signs). */
function turned(vector: Float32Array): Float32Array {
  return vector.map((_, at) => (at % 3 === 0 ? -1 : 1) * (vector[(at * 5 + 11) % vector.length] ?? 0));
}

function shuffled(texts: readonly string[], random: Random): readonly string[] {
  const order = texts.map((text) => ({ text, place: random.next() }));
  return order.toSorted((one, other) => one.place - other.place).map(({ text }) => text);
}
