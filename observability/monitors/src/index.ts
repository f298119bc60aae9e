export type { Band, BandModel, CreateBandModel, SeriesPoint, SeriesTraits } from './bands/band.ts';
export type { Evaluation, EvaluationRequest, SeriesKey, Verdict, Violation } from './evaluation/evaluation.ts';
export { type AlertContext, alertsOf, type RaisedAlert, type RaisedViolation } from './incidents/alerts.ts';
export { type BackfillRequest, type BackfillStep, backfillSteps } from './incidents/backfill.ts';
export { displayMetricName } from './incidents/display-names.ts';
export { addedMetrics, contentOf, type IncidentContent } from './incidents/incident-content.ts';
export { type IncidentCause, type IncidentMove, type NewestIncident, nextMove } from './incidents/incident-machine.ts';
export { measureIncidents, measureScan, type ScoreMeasure } from './score/measures.ts';
export { bandOf, DEFAULT_DQ_SCORE, explainChange, type Score, scoreOf } from './score/score.ts';
