// SPDX-License-Identifier: Apache-2.0
/**
 * Scratch memory of linking, in the memory of the input: the sorted candidates and the chosen rows of one selection, a copy of a list, and
 * the open candidates.
 */
import { capacityAt } from '../memory/layout';
import { input } from '../memory/workspace';
import { OPEN_BYTES_MAX } from './neighbours';

// @ts-ignore: decorator
@inline export function linkScratchBytes(): u32 { return ((capacityAt(0) + 1) << 4) + OPEN_BYTES_MAX; }
// @ts-ignore: decorator
@inline export function candidates(): usize { return input; }
// @ts-ignore: decorator
@inline export function chosen(): usize { return input + ((capacityAt(0) + 1) << 3); }
// @ts-ignore: decorator
@inline export function copied(): usize { return input + (capacityAt(0) + 1) * 12; }
// @ts-ignore: decorator
@inline export function open(): usize { return input + ((capacityAt(0) + 1) << 4); }
