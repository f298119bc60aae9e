// SPDX-License-Identifier: Apache-2.0
/** Both clients in one object. */
import { ObservabilityClient, type ObservabilityClientOptions } from './observability/observability-client.ts';
import { VectorClient, type VectorClientOptions } from './vector/vector-client.ts';

export type SextantOptions = {
  readonly vector?: VectorClientOptions;
  readonly observability?: ObservabilityClientOptions;
};

/** A client of each service. Creating them sends no request. */
export class Sextant {
  readonly vector: VectorClient;
  readonly observability: ObservabilityClient;

  constructor(options: SextantOptions = {}) {
    this.vector = new VectorClient(options.vector);
    this.observability = new ObservabilityClient(options.observability);
  }
}
