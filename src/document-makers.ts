import type { INestApplicationContext } from '@nestjs/common';
import {
  type DescribedCalls,
  describeCalls,
  type DocumentMakers,
  LENDER_DOCUMENT,
  PARTNER_DOCUMENT,
  partnerDocument,
} from './api-document/index.js';
import { DOCUMENT_WORDS } from './known-words.js';
import { lenderDocument } from './lender-api/index.js';

/** For the served documents and for `npm run openapi`. */
export function documentMakers(app: INestApplicationContext): DocumentMakers {
  let calls: DescribedCalls | undefined;
  return {
    [PARTNER_DOCUMENT]: (brand, baseUrl) => {
      // Reading the calls takes a third of a start; most processes never serve the document.
      calls ??= describeCalls(app, DOCUMENT_WORDS);
      return partnerDocument(calls, brand, baseUrl);
    },
    [LENDER_DOCUMENT]: lenderDocument,
  };
}
