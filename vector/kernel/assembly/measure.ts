/**
 * What the graph compares rows by: their codes while those are in use, else their vectors. Either way nearness is an unsigned integer, and
 * smaller is nearer. The choice is this instance's; it is made when a search or a step of the indexer begins and stands to its end.
 */
import { codeOrder } from './code-distance';
import { distance } from './distance';
import { orderOf } from './keys';
import { CODES, codeOf, vectorOf } from './layout';

export let coded: bool = false;

export function chooseMeasure(): void {
  coded = atomic.load<u32>(CODES) != 0;
}

export function measureVectors(): void {
  coded = false;
}

export function measureCodes(): void {
  coded = true;
}

/** Address of the row's code or vector. */
// @ts-ignore: decorator
@inline export function pointOf(row: u32): usize { return coded ? codeOf(row) : vectorOf(row); }

export function nearness(a: usize, b: usize): u32 {
  return coded ? codeOrder(a, b) : orderOf(distance(a, b));
}
