/**
 * A graph as bytes, in little-endian 32-bit words:
 *
 *   magic, format version, dimension, metric, m, chance, entry row, row bound, nodes, words of links
 *   calibration of the codes five words and a zero; not in format 1, whose graphs were built on vectors
 *   versions of the nodes    float64 each
 *   rows of the nodes        rising
 *   for each node: its level, and for each level from 0 up a count and as many neighbour rows
 *   CRC-32 of all before
 *
 * Every machine that Node.js runs on is little-endian, as is WebAssembly's memory.
 */
import { crc32 } from 'node:zlib';
import { calibrationWords, type KernelExports } from './kernel.ts';
import type { MemoryView } from './memory-view.ts';
import { GraphDamagedError } from './vector-space.ts';

const magic = 0x47585153;
const formatVersion = 2;
const headerWords = 16;
const calibrationStart = 10;
/** By format version. */
const headerWordsOf: ReadonlyMap<number, number> = new Map([
  [1, 10],
  [formatVersion, headerWords],
]);
const noRow = 0xffffffff;
const levelMax = 15;

/** What must be the same for a saved graph to fit a space. */
export type GraphParameters = { readonly dimension: number; readonly metric: number; readonly m: number };

type SavedNode = {
  readonly row: number;
  readonly level: number;
  readonly version: number;
  /** For each level from 0 up, a count and as many rows. */
  readonly links: Uint32Array;
};

export type SavedGraph = {
  readonly rowBound: number;
  /** Row of the entry point; 0xffffffff in an empty graph. */
  readonly entry: number;
  /** State of the generator of levels. */
  readonly chance: number;
  /** All zero where the graph was built on vectors. */
  readonly calibration: Uint32Array;
  nodes(): Iterable<SavedNode>;
};

/** Runs on the indexer's thread, which alone changes links: while it runs the graph stands still. */
export function encodeGraph(kernel: KernelExports, view: MemoryView): Uint8Array {
  const rowBound = kernel.rowBound() >>> 0;
  const { nodeCount, linkWords } = measure(kernel, view, rowBound);
  const versionsStart = headerWords * 4;
  const rowsStart = versionsStart + nodeCount * 8;
  const end = rowsStart + (nodeCount + linkWords) * 4;
  const bytes = new Uint8Array(end + 4);
  const versions = new Float64Array(bytes.buffer, versionsStart, nodeCount);
  const words = new Uint32Array(bytes.buffer);
  words.set([magic, formatVersion, kernel.spaceDimension(), kernel.spaceMetric(), kernel.spaceM(), kernel.chance()]);
  words.set([kernel.entryRow(), rowBound, nodeCount, linkWords], 6);
  const calibration = kernel.calibrationAddress() >>> 0;
  if (calibration !== 0) words.set(view.words(0).subarray(calibration / 4, calibration / 4 + calibrationWords), calibrationStart);
  let node = 0;
  let at = rowsStart / 4 + nodeCount;
  for (let row = 0; row < rowBound; row++) {
    if (kernel.isNode(row) === 0) continue;
    versions[node] = kernel.nodeVersion(row);
    words[rowsStart / 4 + node++] = row;
    const level = kernel.nodeLevel(row);
    words[at++] = level;
    for (let l = 0; l <= level; l++) at = copyLinks(view, kernel.linksAddress(row, l) >>> 0, words, at);
  }
  words[end / 4] = crc32(bytes.subarray(0, end));
  return bytes;
}

function measure(kernel: KernelExports, view: MemoryView, rowBound: number): { nodeCount: number; linkWords: number } {
  let nodeCount = 0;
  let linkWords = 0;
  for (let row = 0; row < rowBound; row++) {
    if (kernel.isNode(row) === 0) continue;
    nodeCount++;
    linkWords++;
    const level = kernel.nodeLevel(row);
    for (let l = 0; l <= level; l++) {
      const address = kernel.linksAddress(row, l) >>> 0;
      linkWords += 1 + (view.words(address + 4)[address >>> 2] ?? 0);
    }
  }
  return { nodeCount, linkWords };
}

function copyLinks(view: MemoryView, address: number, words: Uint32Array, at: number): number {
  const from = address >>> 2;
  const length = 1 + (view.words(address + 4)[from] ?? 0);
  const source = view.words(address + length * 4);
  for (let i = 0; i < length; i++) words[at + i] = source[from + i] ?? 0;
  return at + length;
}

/** Reads and checks all of a saved graph before any of it is used. */
export function decodeGraph(bytes: Uint8Array, parameters: GraphParameters): SavedGraph {
  if (bytes.length < (calibrationStart + 1) * 4 || bytes.length % 4 !== 0) throw new GraphDamagedError('the saved graph is cut off');
  // A copy only where the bytes do not lie on a word, which typed arrays need.
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
  const end = words.length - 1;
  if (words[0] !== magic) throw new GraphDamagedError('the bytes are no saved graph');
  if (crc32(aligned.subarray(0, end * 4)) !== words[end]) throw new GraphDamagedError('the checksum of the saved graph does not hold');
  const headerEnd = headerWordsOf.get(words[1] ?? 0);
  if (headerEnd === undefined) throw new GraphDamagedError(`the format ${words[1]} of the saved graph is not known`);
  if (words[2] !== parameters.dimension || words[3] !== parameters.metric || words[4] !== parameters.m) {
    throw new GraphDamagedError('the saved graph belongs to a space with other parameters');
  }
  const [chance = 0, entry = noRow, rowBound = 0, nodeCount = 0, linkWords = 0] = words.subarray(5, calibrationStart);
  const rowsStart = headerEnd + nodeCount * 2;
  const linksStart = rowsStart + nodeCount;
  if (linksStart + linkWords !== end) throw new GraphDamagedError('the parts of the saved graph do not fill it');
  const versions = new Float64Array(aligned.buffer, aligned.byteOffset + headerEnd * 4, nodeCount);
  const rows = words.subarray(rowsStart, linksStart);
  const links = words.subarray(linksStart, end);
  checkNodes({ rows, links, rowBound, entry, m: parameters.m });
  const calibration = new Uint32Array(calibrationWords);
  if (headerEnd > calibrationStart) calibration.set(words.subarray(calibrationStart, calibrationStart + calibrationWords));
  return { rowBound, entry, chance, calibration, nodes: () => iterateNodes(versions, rows, links) };
}

function* iterateNodes(versions: Float64Array, rows: Uint32Array, links: Uint32Array): Iterable<SavedNode> {
  let at = 0;
  for (let node = 0; node < rows.length; node++) {
    const level = links[at++] ?? 0;
    const start = at;
    for (let l = 0; l <= level; l++) at += 1 + (links[at] ?? 0);
    yield { row: rows[node] ?? 0, level, version: versions[node] ?? 0, links: links.subarray(start, at) };
  }
}

type Parts = {
  readonly rows: Uint32Array;
  readonly links: Uint32Array;
  readonly rowBound: number;
  readonly entry: number;
  readonly m: number;
};

/** The kernel follows links without looking, so each must lead to a node that has the level. */
function checkNodes({ rows, links, rowBound, entry, m }: Parts): void {
  const levels = readLevels(rows, links, rowBound);
  if (entry === noRow ? rows.length > 0 : levels[entry] === undefined || levels[entry] === 0) {
    throw new GraphDamagedError('the saved graph has no entry point');
  }
  let at = 0;
  for (const row of rows) {
    const level = links[at++] ?? 0;
    for (let l = 0; l <= level; l++) {
      const count = links[at++] ?? 0;
      if (count > (l === 0 ? 2 * m : m)) throw new GraphDamagedError(`row ${row} has too many links at level ${l}`);
      for (const last = at + count; at < last; at++) {
        const neighbour = links[at] ?? noRow;
        if (neighbour === row || (levels[neighbour] ?? 0) <= l) throw new GraphDamagedError(`row ${row} has a false link at level ${l}`);
      }
    }
  }
}

/** For each row its level plus one, 0 where it is no node. */
function readLevels(rows: Uint32Array, links: Uint32Array, rowBound: number): Uint8Array {
  // As many bytes as the space would hold rows: the reservation that follows is far larger.
  const levels = new Uint8Array(rowBound);
  let at = 0;
  let previous = -1;
  for (const row of rows) {
    const level = links[at++] ?? levelMax + 1;
    if (row <= previous || row >= rowBound || level > levelMax) throw new GraphDamagedError('the nodes of the saved graph are in disorder');
    levels[row] = level + 1;
    previous = row;
    for (let l = 0; l <= level; l++) at += 1 + (links[at] ?? links.length);
  }
  if (at !== links.length) throw new GraphDamagedError('the links of the saved graph are in disorder');
  return levels;
}
