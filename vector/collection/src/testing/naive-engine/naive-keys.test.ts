// SPDX-License-Identifier: Apache-2.0
import { describeShardKeys } from '../conformance/shard-keys.conformance.ts';
import { openNaiveKeys } from './naive-keys.ts';

describeShardKeys('naive engine', async () => ({ engine: openNaiveKeys(), [Symbol.asyncDispose]: async () => undefined }));
