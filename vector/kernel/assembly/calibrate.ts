/**
 * Learns the scale of the codes from a sample, and whether codes of that scale tell the sample's neighbours at all. The indexer does so
 * when the first thousand rows are there, and looks again whenever it has linked as many rows as there were the last time: data drift.
 *
 * Readers walk on codes only while CODES is 1. To write codes anew it is set to 0, an epoch is begun, and the codes wait until the readers
 * that set out before have left; whoever comes in between walks on the vectors.
 */
import { beginEpoch, haveLeft } from './epochs';
import { encodeRow } from './codes';
import { keyOf, orderIn, orderOf, rowOf } from './keys';
import { codeOrder } from './code-distance';
import { distance } from './distance';
import {
  CALIBRATED_ROWS, CODES, CODE_OFFSET, CODE_SCALE, DOT, GRAPH_LIVE_COUNT, LINKED_SINCE, PENDING_COUNT, ROW_BOUND, codeOf, codeStride, dimension,
  isInGraph, isLive, metric, state, vectorOf,
} from './layout';
import { beatsPool, insertIntoPool, poolCount, poolKey, walkNowhere } from './walk';
import { preparePool, prepareWalk } from './workspace';

/** Fewer rows are walked through on their vectors: too few to learn from, and quick anyway. */
const ROWS_MIN: u32 = 1000;
/** Codes reach this many standard deviations to either side; farther components are cut off. Measured on word vectors: 3.2 costs a hundredth of recall, 5 as much. */
const DEVIATIONS: f64 = 4;
const CODE_MAX: f64 = 127;
const SAMPLE_ROWS: u32 = 1000;
/** A new scale or offset that differs by less than this share of the range is not worth new codes. */
const DRIFT_MAX: f64 = 0.25;

// The trial: of the nearest TRIAL_K of some rows, codes must bring this share among the nearest TRIAL_RESCORED. Word vectors reach 0.996, pictures 1.
const TRIAL_QUERIES: u32 = 50;
const TRIAL_K: u32 = 10;
const TRIAL_RESCORED: u32 = 20;
const TRIAL_FOUND_MIN: f64 = 0.98;
/** Components read in a trial, which bounds its time to about a tenth of a second. */
const TRIAL_COMPONENTS: u32 = 1 << 28;

/** Times that the indexer looks whether the readers have left, and nanoseconds between. Searches are shorter than all of them. */
const LOOKS: u32 = 100;
const LOOK_WAIT: i64 = 50_000;

let offset: f64 = 0;
let limit: f64 = 0;

export function isCalibrationDue(): bool {
  if (codeStride == 0) return false;
  const last = load<u32>(CALIBRATED_ROWS);
  return last == 0 ? liveCount() >= ROWS_MIN : load<u32>(LINKED_SINCE) >= last;
}

function liveCount(): u32 {
  return atomic.load<u32>(PENDING_COUNT) + atomic.load<u32>(GRAPH_LIVE_COUNT);
}

/** Learns, and writes all codes where that changes them. False where there is no room to work. */
export function calibrate(): bool {
  const rowBound = atomic.load<u32>(ROW_BOUND);
  if (!preparePool(TRIAL_RESCORED) || !prepareWalk(rowBound, true)) return false;
  const learned = learn(rowBound);
  if (atomic.load<u32>(CODES) == 0 || !learned || hasDrifted()) {
    atomic.store<u32>(CODES, 0);
    // A reader that stays is a thread that has been stopped in the middle: until it goes on or is gone, the vectors serve.
    if (!waitForReaders()) return true;
    if (learned) writeCodes(rowBound);
    if (learned && codesTell(rowBound)) atomic.store<u32>(CODES, 1);
  }
  store<u32>(CALIBRATED_ROWS, max(liveCount(), ROWS_MIN));
  store<u32>(LINKED_SINCE, 0);
  return true;
}

/** Sets offset and limit from a sample; false where its spread is none or beyond all bounds. */
function learn(rowBound: u32): bool {
  const step = max<u32>(1, rowBound / SAMPLE_ROWS);
  offset = metric == DOT ? 0 : meanOf(rowBound, step);
  let squares: f64 = 0;
  let farthest: f64 = 0;
  let count: f64 = 0;
  for (let row: u32 = 0; row < rowBound; row += step) {
    if (!isLive(state(row))) continue;
    const vector = vectorOf(row);
    for (let i: u32 = 0; i < dimension; i++) {
      const deviation = Math.abs(<f64>load<f32>(vector + (i << 2)) - offset);
      squares += deviation * deviation;
      farthest = max(farthest, deviation);
    }
    count += dimension;
  }
  limit = min(DEVIATIONS * Math.sqrt(squares / count), farthest);
  // Both as the codes will use them.
  const scale = <f32>(CODE_MAX / limit);
  return count > 0 && scale > 0 && scale < <f32>Infinity && Math.abs(offset) < <f64>f32.MAX_VALUE;
}

function meanOf(rowBound: u32, step: u32): f64 {
  let sum: f64 = 0;
  let count: f64 = 0;
  for (let row: u32 = 0; row < rowBound; row += step) {
    if (!isLive(state(row))) continue;
    const vector = vectorOf(row);
    for (let i: u32 = 0; i < dimension; i++) sum += load<f32>(vector + (i << 2));
    count += dimension;
  }
  return count > 0 ? sum / count : 0;
}

/** Whether the scale and offset in use are no longer those of the data. */
function hasDrifted(): bool {
  const used = CODE_MAX / <f64>load<f32>(CODE_SCALE);
  const moved = Math.abs(offset - <f64>load<f32>(CODE_OFFSET));
  return limit > used * (1 + DRIFT_MAX) || limit < used / (1 + DRIFT_MAX) || moved > limit * DRIFT_MAX;
}

function waitForReaders(): bool {
  const epoch = beginEpoch();
  for (let look: u32 = 0; look < LOOKS; look++) {
    if (haveLeft(epoch)) return true;
    atomic.wait<i32>(CODES, 0, LOOK_WAIT);
  }
  return false;
}

function writeCodes(rowBound: u32): void {
  store<f32>(CODE_SCALE, <f32>(CODE_MAX / limit));
  store<f32>(CODE_OFFSET, <f32>offset);
  for (let row: u32 = 0; row < rowBound; row++) {
    const rowState = state(row);
    if (isLive(rowState) || isInGraph(rowState)) encodeRow(row);
  }
}

/** The trial: codes may change the order of neighbours, but must not lose them from those that are rescored. */
function codesTell(rowBound: u32): bool {
  const rows = max<u32>(SAMPLE_ROWS, TRIAL_COMPONENTS / TRIAL_QUERIES / dimension);
  const step = max<u32>(1, rowBound / rows);
  let wanted: u32 = 0;
  let found: u32 = 0;
  for (let i: u32 = 0; i < TRIAL_QUERIES; i++) {
    const query = <u32>((<u64>rowBound * i) / TRIAL_QUERIES);
    if (!isLive(state(query))) continue;
    gatherNearest(query, rowBound, step, false, TRIAL_K);
    if (poolCount == 0) continue;
    wanted += poolCount;
    const bound = orderIn(poolKey(poolCount - 1));
    const most = poolCount;
    gatherNearest(query, rowBound, step, true, TRIAL_RESCORED);
    let brought: u32 = 0;
    for (let j: u32 = 0; j < poolCount; j++) brought += u32(orderOf(distance(vectorOf(query), vectorOf(rowOf(poolKey(j))))) <= bound);
    found += min(brought, most);
  }
  return <f64>found >= TRIAL_FOUND_MIN * <f64>wanted;
}

function gatherNearest(query: u32, rowBound: u32, step: u32, byCode: bool, count: u32): void {
  walkNowhere(count);
  for (let row: u32 = 0; row < rowBound; row += step) {
    if (row == query || !isLive(state(row))) continue;
    const key = keyOf(byCode ? codeOrder(codeOf(query), codeOf(row)) : orderOf(distance(vectorOf(query), vectorOf(row))), row);
    if (beatsPool(key)) insertIntoPool(key);
  }
}
