// SPDX-License-Identifier: Apache-2.0
import { operation } from '../operation.ts';

export const getCollection = operation('get_collection', ({ engine }, { params }) => engine.collectionInfo(params.collection_name));
