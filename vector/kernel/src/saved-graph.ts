// SPDX-License-Identifier: Apache-2.0
/**
 * A saved graph: the content of a space, block by block as it lies in memory, so that loading is as fast as the disk.
 *
 *   header     64 bytes, as below
 *   table      calibration of the codes, findings about what was learned for them, its length and its CRC-32; then for each block its CRC-32,
 *              the bytes of its upper links and their CRC-32
 *   blocks     raw, but with zeros for the addresses of upper links and of vectors outside the block; without the room that short codes leave
 *   uppers     for each block the links above level 0 of its nodes, in the order of rows and levels
 *   learned    the centroids of product codes, the centre of binary codes, or the projector of reduced codes
 *
 * Header, in little-endian words:
 *
 *    0  magic · format version · dimension · metric · m · quantization, datatype from bit 8 on, whether vectors are released from bit 16 on,
 *       bits of queries from bit 20 on · rows of a block · bytes of a block
 *    8  row bound · blocks · entry row · state of the generator of levels · sequence (float64) · CRC-32 of the table · CRC-32 of the words before
 *
 * Rows may be put and removed while a graph is saved: a row of a write after `sequence` may be torn, and whoever loads the graph takes such
 * rows from storage. Links do not change, nor do the vectors that they lead to. Every machine that Node.js runs on is little-endian, as is
 * WebAssembly's memory.
 */
import { crc32 } from 'node:zlib';
import { calibrationWords, findingsWords, type KernelExports } from './kernel.ts';
import type { MemoryView } from './memory-view.ts';
import { GraphDamagedError, type GraphSink, type GraphSource, SpaceFullError } from './vector-space.ts';

const magic = 0x47585153;
const formatVersion = 5;
const headerBytes = 64;
const headerCrcWord = 15;
const learnedIndex = calibrationWords + findingsWords;
const calibrationBytes = (learnedIndex + 2) * 4;
const tableEntryBytes = 12;

/** What must be the same for a saved graph to fit a space. */
function shapeOf(kernel: KernelExports): readonly number[] {
  return [
    kernel.spaceDimension(),
    kernel.spaceMetric(),
    kernel.spaceM(),
    kernel.spaceQuantization() | (kernel.spaceDatatype() << 8) | (kernel.spaceReleasesVectors() << 16) | (kernel.queryBits() << 20),
    kernel.rowsOfBlock(),
    kernel.bytesOfBlock(),
  ].map((word) => word >>> 0);
}

const shapeWord = 2;
const rowBoundWord = 8;

/** Runs on the indexer's thread while it works alone, so that no link changes; `sequence` is the last write that memory surely holds. */
export function writeGraph(kernel: KernelExports, view: MemoryView, sink: GraphSink, sequence: number): void {
  // Rows beyond are free: a space that has shrunk is small after loading.
  const rowBound = kernel.usedBound() >>> 0;
  const blocks = Math.ceil(rowBound / kernel.rowsOfBlock());
  const table = new Uint32Array((calibrationBytes + blocks * tableEntryBytes) / 4);
  table.set(calibrationOf(kernel, view));

  let position = headerBytes + table.byteLength;
  const append = (bytes: Uint8Array): number => {
    sink.write(bytes, position);
    position += bytes.length;
    return crc32(bytes);
  };
  for (let block = 0; block < blocks; block++) table[tableIndex(block)] = append(copyOfBlock(kernel, view, block));
  for (let block = 0; block < blocks; block++) {
    const uppers = uppersOfBlock(kernel, view, block);
    table.set([uppers.length, append(uppers)], tableIndex(block) + 1);
  }
  const learned = learnedOf(kernel, view);
  table.set([learned.length, append(learned)], learnedIndex);
  const tableBytes = new Uint8Array(table.buffer);
  sink.write(tableBytes, headerBytes);
  sink.write(headerOf(kernel, { rowBound, blocks, sequence, tableCrc: crc32(tableBytes) }), 0);
}

function headerOf(
  kernel: KernelExports,
  { rowBound, blocks, sequence, tableCrc }: { rowBound: number; blocks: number; sequence: number; tableCrc: number },
): Uint8Array {
  const bytes = new Uint8Array(headerBytes);
  const words = new Uint32Array(bytes.buffer);
  words.set([magic, formatVersion, ...shapeOf(kernel), rowBound, blocks, kernel.entryRow(), kernel.chance()]);
  new Float64Array(bytes.buffer).set([sequence], 6);
  words[14] = tableCrc;
  words[headerCrcWord] = crc32(bytes.subarray(0, headerCrcWord * 4));
  return bytes;
}

function tableIndex(block: number): number {
  return (calibrationBytes + block * tableEntryBytes) / 4;
}

/** One copy, so that the checksum is of what is written although rows are put into the block; valid until the next. */
let blockCopy = new Uint8Array(0);

function copyOfBlock(kernel: KernelExports, view: MemoryView, block: number): Uint8Array {
  const start = kernel.blockStart(block) >>> 0;
  const length = kernel.bytesOfBlock();
  if (blockCopy.length !== length) blockCopy = new Uint8Array(length);
  blockCopy.set(view.bytes(start + length).subarray(start, start + length));
  const uppers = kernel.uppersStart();
  if (kernel.spaceReleasesVectors() !== 0) blockCopy.fill(0, 0, kernel.rowsOfBlock() * 4);
  blockCopy.fill(0, uppers, uppers + kernel.rowsOfBlock() * 4);
  const { before, after } = partsOfBlock(kernel);
  blockCopy.copyWithin(before, length - after);
  return blockCopy.subarray(0, before + after);
}

/** Bytes of a block before the unused room for codes, and after it. */
function partsOfBlock(kernel: KernelExports): { readonly before: number; readonly after: number } {
  return { before: kernel.codesEnd(), after: kernel.bytesOfBlock() - kernel.codesRoomEnd() };
}

function uppersOfBlock(kernel: KernelExports, view: MemoryView, block: number): Uint8Array {
  const length = kernel.uppersBytes(block);
  if (length === 0) return new Uint8Array(0);
  const address = kernel.inputAddress(length) >>> 0;
  if (address === 0) throw new SpaceFullError('the memory bound of the vector space leaves no room to save its graph');
  kernel.packUppers(block, address);
  return view.bytes(address + length).slice(address, address + length);
}

function learnedOf(kernel: KernelExports, view: MemoryView): Uint8Array {
  const address = kernel.learnedAddress() >>> 0;
  const length = address === 0 ? 0 : kernel.learnedBytes();
  return view.bytes(address + length).slice(address, address + length);
}

export type LoadedGraph = {
  /** Row of the entry point; 0xffffffff in an empty graph. */
  readonly entry: number;
  /** Number of the last write that the graph surely holds. */
  readonly sequence: number;
};

/** Fills an empty space. Throws `GraphDamagedError` and leaves it empty where the graph is not as it was written. */
export function readGraph(
  kernel: KernelExports,
  view: MemoryView,
  source: GraphSource,
  { newest, rowsMax }: { newest: number; rowsMax: number },
): LoadedGraph {
  const header = readHeader(kernel, source);
  const { rowBound, blocks, entry, sequence } = header;
  if (blocks !== Math.ceil(rowBound / kernel.rowsOfBlock())) throw damaged();
  if (rowBound > rowsMax) throw new GraphDamagedError(`the saved graph has ${rowBound} rows, more than ${rowsMax}`);
  if (sequence > newest)
    throw new GraphDamagedError(`the graph was saved after operation ${sequence}, the last one that is stored is ${newest}`);
  const table = readTable(source, header);
  if (kernel.spaceReleasesVectors() !== 0 && table[0] === 0)
    throw new GraphDamagedError('the saved graph stands on vectors that it does not hold');
  if (kernel.reserveBlocks(rowBound) === 0) throw new GraphDamagedError('the saved graph does not fit into the memory bound of the space');
  const begin = calibrationOf(kernel, view);
  try {
    calibrate(kernel, view, table);
    readBlocks(kernel, view, source, { table, blocks });
    readUppers(kernel, view, source, { table, blocks, rowBound });
    if (kernel.hasSoundLinks() === 0) throw new GraphDamagedError('the saved graph has false links');
    kernel.setChance(header.chance);
    readLearned(kernel, view, source, table);
  } catch (error) {
    kernel.clearBlocks();
    calibrate(kernel, view, begin);
    throw error;
  }
  return { entry, sequence };
}

/** Calibration and findings, the beginning of a saved graph's table; zeros in a space without codes. */
function calibrationOf(kernel: KernelExports, view: MemoryView): Uint32Array {
  const words = new Uint32Array(learnedIndex);
  const calibration = kernel.calibrationAddress() >>> 0;
  if (calibration === 0) return words;
  words.set(view.words(0).subarray(calibration / 4, calibration / 4 + calibrationWords));
  words.set(view.words(0).subarray(kernel.findingsAddress() / 4, kernel.findingsAddress() / 4 + findingsWords), calibrationWords);
  return words;
}

/** They come before the blocks because they determine the length of codes. */
function calibrate(kernel: KernelExports, view: MemoryView, words: Uint32Array): void {
  const calibration = kernel.calibrationAddress() >>> 0;
  if (calibration === 0) return;
  view.words(0).set(words.subarray(0, calibrationWords), calibration / 4);
  view.words(0).set(words.subarray(calibrationWords, learnedIndex), kernel.findingsAddress() / 4);
}

type Header = ReturnType<typeof readHeader>;

function readHeader(kernel: KernelExports, source: GraphSource) {
  if (source.size < headerBytes) throw new GraphDamagedError('the saved graph is truncated');
  const bytes = readBytes(source, headerBytes, 0);
  const words = new Uint32Array(bytes.buffer);
  if (words[0] !== magic) throw new GraphDamagedError('the bytes are not a saved graph');
  if (words[1] !== formatVersion) throw new GraphDamagedError(`the format ${words[1]} of the saved graph is not known`);
  if (crc32(bytes.subarray(0, headerCrcWord * 4)) !== words[headerCrcWord]) throw damaged();
  if (shapeOf(kernel).some((word, index) => words[shapeWord + index] !== word)) {
    throw new GraphDamagedError('the saved graph belongs to a space with other parameters');
  }
  const [rowBound = 0, blocks = 0, entry = 0, chance = 0] = words.subarray(rowBoundWord);
  const sequence = new Float64Array(bytes.buffer)[6] ?? 0;
  return { rowBound, blocks, entry, chance, sequence, tableCrc: words[14] };
}

function readTable(source: GraphSource, { blocks, tableCrc }: Header): Uint32Array {
  const length = calibrationBytes + blocks * tableEntryBytes;
  if (source.size < headerBytes + length) throw new GraphDamagedError('the saved graph is truncated');
  const bytes = readBytes(source, length, headerBytes);
  if (crc32(bytes) !== tableCrc) throw damaged();
  return new Uint32Array(bytes.buffer);
}

/** Reads into the space's memory; the checksum is computed while the block is in the cache. */
function readBlocks(
  kernel: KernelExports,
  view: MemoryView,
  source: GraphSource,
  { table, blocks }: { table: Uint32Array; blocks: number },
): void {
  const { before, after } = partsOfBlock(kernel);
  const start = headerBytes + table.byteLength;
  let uppersLength = 0;
  for (let block = 0; block < blocks; block++) uppersLength += table[tableIndex(block) + 1] ?? 0;
  if (source.size !== start + blocks * (before + after) + uppersLength + (table[learnedIndex] ?? 0))
    throw new GraphDamagedError('the saved graph is incomplete');
  for (let block = 0; block < blocks; block++) {
    const address = kernel.blockStart(block) >>> 0;
    const end = address + kernel.bytesOfBlock();
    const position = start + block * (before + after);
    const first = view.bytes(end).subarray(address, address + before);
    const second = view.bytes(end).subarray(end - after, end);
    source.read(first, position);
    source.read(second, position + before);
    if (crc32(second, crc32(first)) !== table[tableIndex(block)]) throw damaged();
  }
}

function readUppers(
  kernel: KernelExports,
  view: MemoryView,
  source: GraphSource,
  { table, blocks, rowBound }: { table: Uint32Array; blocks: number; rowBound: number },
): void {
  const { before, after } = partsOfBlock(kernel);
  let position = headerBytes + table.byteLength + blocks * (before + after);
  for (let block = 0; block < blocks; block++) {
    const [length = 0, crc] = table.subarray(tableIndex(block) + 1);
    const bytes = readBytes(source, length, position);
    if (crc32(bytes) !== crc) throw damaged();
    const address = length === 0 ? 0 : kernel.inputAddress(length) >>> 0;
    if (address === 0 && length > 0) throw new GraphDamagedError('the memory bound of the space leaves no room for the saved graph');
    view.bytes(address + length).set(bytes, address);
    if (kernel.takeBlock(block, rowBound, address, length) === 0)
      throw new GraphDamagedError('the nodes of the saved graph are in disorder');
    position += length;
  }
}

function readLearned(kernel: KernelExports, view: MemoryView, source: GraphSource, table: Uint32Array): void {
  const [length = 0, crc] = table.subarray(learnedIndex);
  const bytes = readBytes(source, length, source.size - length);
  if (crc32(bytes) !== crc || (length !== 0 && length !== kernel.learnedBytes())) throw damaged();
  const address = length === 0 ? 0 : kernel.takeLearned() >>> 0;
  if (address === 0 && length > 0) throw new GraphDamagedError('the memory bound of the space leaves no room for the saved graph');
  view.bytes(address + length).set(bytes, address);
}

function readBytes(source: GraphSource, length: number, position: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  source.read(bytes, position);
  return bytes;
}

function damaged(): GraphDamagedError {
  return new GraphDamagedError('a checksum of the saved graph does not match');
}
