// SPDX-License-Identifier: Apache-2.0
import { operation } from '../operation.ts';

export const inputNorms = operation('input_norms', ({ engine }, { params }) => engine.inputNorms(params.collection_name));
