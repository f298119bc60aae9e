// SPDX-License-Identifier: Apache-2.0
/**
 * Epoch-based reclamation (K. Fraser, Practical lock-freedom, 2004, section 5.2.3): a reader publishes the epoch in which it began. What
 * was unlinked before epoch e began is visible only to readers whose published epoch is below e.
 */
import { EPOCH, READER_SLOT_COUNT, READER_SLOTS } from '../memory/layout';

const CLAIMED: usize = 8;

/** This instance's slot; 0 where it has none. */
let slot: usize = 0;

export function claimSlot(): bool {
  for (let i: u32 = 0; i < READER_SLOT_COUNT; i++) {
    const candidate = READER_SLOTS + (i << 6);
    if (atomic.cmpxchg<u32>(candidate + CLAIMED, 0, 1) == 0) {
      slot = candidate;
      return true;
    }
  }
  return false;
}

export function releaseSlot(): void {
  if (slot != 0) atomic.store<u32>(slot + CLAIMED, 0);
  slot = 0;
}

/** The second load keeps later reads from running before the slot is published: atomic accesses have one order for all threads. */
export function enter(): void {
  let epoch: u64;
  do {
    epoch = atomic.load<u64>(EPOCH);
    atomic.store<u64>(slot, epoch);
  } while (atomic.load<u64>(EPOCH) != epoch);
}

export function leave(): void {
  atomic.store<u64>(slot, 0);
}

/** Begins an epoch and returns it: readers of this or a later epoch cannot see what was unlinked before. */
export function beginEpoch(): u64 {
  return atomic.add<u64>(EPOCH, 1) + 1;
}

/** Whether every reader that began before the epoch has left. */
export function haveLeft(epoch: u64): bool {
  for (let i: u32 = 0; i < READER_SLOT_COUNT; i++) {
    const published = atomic.load<u64>(READER_SLOTS + (i << 6));
    if (published != 0 && published < epoch) return false;
  }
  return true;
}
