// SPDX-License-Identifier: Apache-2.0
export { type SparkCall, sparkCalls } from './calls.ts';
export { decodeSparkMessage, encodeSparkMessage, type SparkMessage, type SparkMessageName } from './codec.ts';
