// SPDX-License-Identifier: Apache-2.0
/** The calls of Spark Connect that are made; the last two answer with a stream. */
import type { SparkMessageName } from './codec.ts';

const SERVICE = '/spark.connect.SparkConnectService';

export const sparkCalls = {
  config: call('Config', 'ConfigRequest', 'ConfigResponse'),
  interrupt: call('Interrupt', 'InterruptRequest', 'InterruptResponse'),
  releaseExecute: call('ReleaseExecute', 'ReleaseExecuteRequest', 'ReleaseExecuteResponse'),
  releaseSession: call('ReleaseSession', 'ReleaseSessionRequest', 'ReleaseSessionResponse'),
  executePlan: call('ExecutePlan', 'ExecutePlanRequest', 'ExecutePlanResponse'),
  reattachExecute: call('ReattachExecute', 'ReattachExecuteRequest', 'ExecutePlanResponse'),
} as const;

export type SparkCall<Input extends SparkMessageName = SparkMessageName, Output extends SparkMessageName = SparkMessageName> = {
  readonly path: string;
  readonly input: Input;
  readonly output: Output;
};

function call<Input extends SparkMessageName, Output extends SparkMessageName>(
  method: string,
  input: Input,
  output: Output,
): SparkCall<Input, Output> {
  return { path: `${SERVICE}/${method}`, input, output };
}
