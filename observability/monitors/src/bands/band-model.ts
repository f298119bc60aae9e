/** The model behind each type of threshold. */
import type { BandModel, CreateBandModel } from './band.ts';
import { createLearnedBand } from './learned/learned-band.ts';
import { pastPointsBy } from './past-points.ts';
import { createRelativeBand } from './relative-band.ts';

/** Past points considered where the threshold leaves it to us. Twenty is the published default of the moving average. */
const AVERAGED_POINTS = 20;
/** Three weeks of hourly scans; more history than that changes no band by much. */
const LEARNED_POINTS = 500;

/** Makes the model of a threshold; it keeps nothing between two calls of `bandAt`. */
export const createBandModel: CreateBandModel = (threshold, traits): BandModel => {
  const pastPoints = (automatic: number) =>
    pastPointsBy({
      strategy: threshold.extrapolation_strategy,
      limit: threshold.history_limit === 0 ? automatic : threshold.history_limit,
    });
  switch (threshold.threshold_type) {
    case 'STATIC': {
      const band = { lower: threshold.threshold1, upper: threshold.threshold2 };
      return { bandAt: () => band };
    }
    case 'RELATIVE':
      return createRelativeBand(pastPoints(AVERAGED_POINTS), { lowest: threshold.threshold1, highest: threshold.threshold2 });
    case 'ML':
      return createLearnedBand(pastPoints(LEARNED_POINTS), traits);
  }
};
