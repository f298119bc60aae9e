// SPDX-License-Identifier: Apache-2.0
/** A thread that evaluates: it is handed one input after the other and posts what the monitors say. An evaluation that throws ends it. */
import { parentPort } from 'node:worker_threads';
import { assert } from '@sextant/foundation-std';
import { type EvaluationInput, evaluateInput } from './evaluation-input.ts';

const port = parentPort;
assert(port !== null, 'this file is a thread');
port.on('message', (input: EvaluationInput) => port.postMessage(evaluateInput(input)));
