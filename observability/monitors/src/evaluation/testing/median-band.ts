/** A plain model for tests of what surrounds the models: the median of the past give or take five of its deviations. */
import type { CreateBandModel } from '../../bands/band.ts';
import { learned, median } from '../scan-series.ts';

const SCANS_MIN = 5;
const DEVIATIONS = 5;
/** From the median absolute deviation to the standard deviation of a normal distribution. */
const NORMAL = 1.4826;

export const createMedianBand: CreateBandModel = ({ threshold_type, threshold1, threshold2 }) => ({
  bandAt: (history) => {
    if (threshold_type === 'STATIC') return { lower: threshold1, upper: threshold2 };
    const past = learned(history);
    const middle = median(past);
    if (middle === undefined || past.length < SCANS_MIN) return undefined;
    const spread = DEVIATIONS * NORMAL * (median(past.map((value) => Math.abs(value - middle))) ?? 0);
    return { lower: middle - spread, upper: middle + spread };
  },
});
