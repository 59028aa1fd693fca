import type { Language, PageBrand } from '../platform/index.js';

/** Under whose name the service is run. */
export interface Brand extends PageBrand {
  /** Drives the webhook headers (`x-<slug>-…`) and the prefix of API keys. */
  readonly slug: string;
  /** Of a text message to an applicant whose language nobody has told; absent: English. */
  readonly smsLanguage?: Language;
}
