/** Learns what sketches are made by. */
import { allocate } from './allocator';
import { SKETCH } from './layout';
import { beginProjection, endProjection, longestProjection, storeDirections, turnDirections } from './learn-projection';
import { setUnits } from './projection';
import { DIRECTIONS, sketcherBytes } from './sketch';

/** Of the sample's variance, the share that the directions must hold after one iteration. With less no trial has ever been passed: pictures of clothes reach 0.87. */
const SHARE_MIN: f64 = 0.9;
/** Projections beyond the longest of the sample by more than this are cut off. */
const REACH: f64 = 1.1;

/** Learns from the codes of rows that take part in the trial; false where there is no memory, or where few directions do not say enough. */
export function learnSketches(rowBound: u32): bool {
  if (load<u32>(SKETCH) == 0) store<u32>(SKETCH, <u32>allocate(sketcherBytes()));
  const sketcher: usize = load<u32>(SKETCH);
  if (sketcher == 0 || !beginProjection(sketcher, DIRECTIONS, rowBound)) return false;
  const learned = turnDirections(SHARE_MIN);
  if (learned) setUnits(sketcher, storeDirections(), <f64>i8.MAX_VALUE / (longestProjection() * REACH));
  endProjection();
  return learned;
}
