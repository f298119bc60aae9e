export type { Band, BandModel, CreateBandModel, SeriesPoint, SeriesTraits } from './bands/band.ts';
export type { Evaluation, EvaluationRequest, SeriesKey, Verdict, Violation } from './evaluation/evaluation.ts';
