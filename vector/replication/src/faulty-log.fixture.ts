// SPDX-License-Identifier: Apache-2.0
/** A log whose connection is bad: calls fail before they did anything, or after. */
import { type Clock, type Random, systemClock } from '@sextant/foundation-std';
import type { OperationLog } from '@sextant/vector-log';

const FAULT = 'the connection was cut';

/** @param faults of a hundred calls that fail */
export function faultyLog(log: OperationLog, random: Random, faults: number): OperationLog {
  const fails = () => random.integer(100) < faults;
  return {
    entryBytesMax: log.entryBytesMax,
    describe: () => log.describe(),
    append: async (entry) => {
      if (fails()) throw new Error(FAULT);
      const position = await log.append(entry);
      // It was done, and the answer is lost.
      if (fails()) throw new Error(FAULT);
      return position;
    },
    read: async (from) => {
      if (fails()) throw new Error(FAULT);
      return log.read(from);
    },
    truncate: (bounds) => log.truncate(bounds),
    announce: (announcement) => log.announce(announcement),
    members: () => log.members(),
    forget: (node) => log.forget(node),
    close: () => log.close(),
  };
}

const FASTER = 50;

/** Pauses between two attempts are short here; what is measured is real. */
export const hastyClock: Clock = {
  ...systemClock,
  after: (ms, action) => systemClock.after(ms / FASTER, action),
};
