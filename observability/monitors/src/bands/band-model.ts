// SPDX-License-Identifier: Apache-2.0
/** The model behind each type of threshold. */
import type { BandModel, CreateBandModel } from './band.ts';
import { createLearnedBand } from './learned/learned-band.ts';
import { pastPointsBy } from './past-points.ts';
import { bandModel } from './ready-band.ts';
import { createRelativeBand } from './relative-band.ts';

/** Past points considered where the threshold leaves it to us. Twenty is the published default of the moving average. */
const AVERAGED_POINTS = 20;
/** As many scans as an evaluation reads. */
const LEARNED_POINTS = 1000;
/** Of a series that is kept: more than it may have missed. */
const LATEST_POINTS = 200;

/** Makes the model of a threshold; it keeps nothing between two calls. */
export const createBandModel: CreateBandModel = (threshold, traits): BandModel => {
  const { extrapolation_strategy: strategy, history_limit: limit } = threshold;
  const pastPoints = (automatic: number) => pastPointsBy({ strategy, limit: limit === 0 ? automatic : limit });
  switch (threshold.threshold_type) {
    case 'STATIC': {
      const band = { lower: threshold.threshold1, upper: threshold.threshold2 };
      return bandModel(() => ({ band: () => band }));
    }
    case 'RELATIVE':
      return createRelativeBand(pastPoints(AVERAGED_POINTS), { lowest: threshold.threshold1, highest: threshold.threshold2 });
    case 'ML':
      return createLearnedBand(traits, {
        pastPoints: pastPoints(LEARNED_POINTS),
        // What is kept of a series was taught all of its points as they were.
        latestPoints: limit === 0 && strategy === 'IGNORE' ? pastPoints(LATEST_POINTS) : undefined,
      });
  }
};
