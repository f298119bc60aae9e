// SPDX-License-Identifier: Apache-2.0
export { AssertionError, assert, unreachable } from './assert.ts';
export { type Clock, manualClock, pause, systemClock, type Timer } from './clock.ts';
export { compileCacheEnvironment } from './compile-cache.ts';
export { fillSentence, withStatus } from './error-catalogue.ts';
export { type JsonValue, parseJson, stringifyExactly, stringifyJson } from './json.ts';
export { CentroidSums, nearestCentroid, sortByCentroid } from './k-means.ts';
export { isMissingPackage, optionalPackage } from './optional-package.ts';
export { pooledFloat32, pooledUint32 } from './pooled-arrays.ts';
export { type Random, seededRandom } from './random.ts';
export { shortestFloat32 } from './shortest-float32.ts';
export { closest, unknownName } from './spelling.ts';
export {
  type Span,
  type SpanAttributes,
  type SpanFacts,
  type TracePlace,
  type Tracer,
  traced,
  tracePlace,
  tracerInUse,
  useTracer,
} from './tracing.ts';
