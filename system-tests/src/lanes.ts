// SPDX-License-Identifier: Apache-2.0
/** Runs `task` for 0, 1, ..., count - 1, in that order of starting, at most `lanes` at a time; the first failure is thrown. */
export async function inLanes(count: number, lanes: number, task: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await task(next++);
  };
  try {
    await Promise.all(Array.from({ length: lanes }, lane));
  } catch (error) {
    next = count;
    throw error;
  }
}
