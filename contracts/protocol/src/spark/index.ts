export { type SparkCall, sparkCalls } from './calls.ts';
export { decodeSparkMessage, encodeSparkMessage, type SparkMessage, type SparkMessageName } from './codec.ts';
