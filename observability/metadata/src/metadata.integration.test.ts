// SPDX-License-Identifier: Apache-2.0
import { onPostgresql } from './conformance/engines.conformance.ts';
import { metadataSuites } from './conformance/metadata.conformance.ts';

onPostgresql(metadataSuites);
