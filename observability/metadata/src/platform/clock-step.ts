// SPDX-License-Identifier: Apache-2.0
/**
 * A time that was noted lies in the future only where the clock was set back. Clocks of several processes differ a little, so less than this says nothing.
 */
export const CLOCK_STEP_MS = 60_000;
