/** The thread of one evaluation: it is handed the input, posts what the monitors say, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { evaluate } from '@sextant/observability-monitors';
import { type EvaluationInput, requestOf } from './evaluation-input.ts';

// `evaluateApart` hands over an `EvaluationInput`.
parentPort?.postMessage(evaluate(requestOf(workerData as EvaluationInput)));
