// SPDX-License-Identifier: Apache-2.0
/** Draws the levels of a row when it is linked, and allocates and releases the memory for their links. */
import { allocate, release } from '../memory/allocator';
import { CHANCE, LEVEL_MAX, levelOf, linksMax, upperLinkBytes, upperOf } from '../memory/layout';

/** mulberry32, as in the project's seeded generator; a number in [0, 1). */
function nextChance(): f64 {
  const chance = atomic.add<u32>(CHANCE, 0x6d2b79f5) + 0x6d2b79f5;
  let mixed = chance;
  mixed = (mixed ^ (mixed >> 15)) * (mixed | 1);
  mixed ^= mixed + (mixed ^ (mixed >> 7)) * (mixed | 61);
  return <f64>(mixed ^ (mixed >> 14)) / 4294967296;
}

/** floor(-ln(u) mL) with mL = 1 / ln M, in other words: level l or more with probability M^-l. */
function drawLevel(): u32 {
  const chance = nextChance();
  const ratio = 1 / <f64>max<u32>(linksMax, 2);
  let level: u32 = 0;
  for (let bound = ratio; chance < bound && level < LEVEL_MAX; bound *= ratio) level++;
  return level;
}

/** A level whose links find no memory is given up: the row becomes a node of level 0. */
export function assignLevel(row: u32): u32 {
  let level = drawLevel();
  if (level > 0) {
    const upper = allocate(level * upperLinkBytes);
    if (upper == 0) level = 0;
    store<u32>(upperOf(row), <u32>upper);
    for (let l: u32 = 0; l < level; l++) store<u32>(upper + l * upperLinkBytes, 0);
  }
  store<u8>(levelOf(row), <u8>level);
  return level;
}

export function releaseLevels(row: u32): void {
  const level = load<u8>(levelOf(row));
  if (level > 0) release(load<u32>(upperOf(row)), level * upperLinkBytes);
  store<u8>(levelOf(row), 0);
  store<u32>(upperOf(row), 0);
}
