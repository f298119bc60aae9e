/** A thread that evaluates: it is handed one input after the other and posts what the monitors say. An evaluation that throws ends it. */
import { parentPort } from 'node:worker_threads';
import { assert } from '@sextant/foundation-std';
import { evaluate, explained } from '@sextant/observability-monitors';
import { type EvaluationInput, requestOf } from './evaluation-input.ts';

const port = parentPort;
assert(port !== null, 'this file is a thread');
port.on('message', (input: EvaluationInput) => {
  const request = requestOf(input);
  port.postMessage(explained(request, evaluate(request)));
});
