// SPDX-License-Identifier: Apache-2.0
import { operation } from '../operation.ts';

export const deleteCollection = operation('delete_collection', ({ engine }, { params }) => engine.deleteCollection(params.collection_name));
