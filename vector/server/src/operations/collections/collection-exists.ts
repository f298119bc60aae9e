// SPDX-License-Identifier: Apache-2.0
import { operation } from '../operation.ts';

export const collectionExists = operation('collection_exists', async ({ engine }, { params }) => ({
  exists: await engine.collectionExists(params.collection_name),
}));
