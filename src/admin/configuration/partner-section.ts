import { type Scope, SCOPES } from '../../auth/index.js';
import {
  ChoiceField,
  PatternField,
  TextField,
  MAX_ADDRESS_CHARACTERS,
} from '../../platform/index.js';
import { WholeNumberField } from './number-fields.js';
import type { LogoImage } from './read-logo.js';
import { EmailsField, PartField, PartsField, WordsField } from './part-fields.js';

const PARTNER_ID = /^[a-z0-9][a-z0-9-]{0,59}$/;
const CHANNELS = ['API_HOSTED', 'API_HEADLESS'] as const;
const STATUSES = ['ACTIVE', 'SUSPENDED'] as const;
const MAX_REQUESTS = 1_000_000_000;

export class LimitsSection {
  @WholeNumberField({ least: 1, most: MAX_REQUESTS, optional: true })
  perMinute?: number;

  @WholeNumberField({ least: 1, most: MAX_REQUESTS, optional: true })
  perDay?: number;
}

export class KeySection {
  /** Unique among the keys of the partner. */
  @TextField()
  name: string;

  /** Held against its form by the checks across the file. */
  @TextField()
  apiKey: string;

  @TextField()
  apiSecret: string;

  @WordsField({ of: SCOPES })
  scopes: Scope[];

  /** Codes of the catalogue. */
  @WordsField()
  products: string[];

  /** Left out, in whole or in part: the contract's defaults. */
  @PartField(LimitsSection, { optional: true })
  limits?: LimitsSection;

  @ChoiceField(CHANNELS, { optional: true })
  defaultChannel?: (typeof CHANNELS)[number];

  @TextField({ optional: true })
  defaultProduct?: string;

  @ChoiceField(STATUSES, { optional: true })
  status?: (typeof STATUSES)[number];
}

export class PartnerSection {
  @PatternField(PARTNER_ID, 'must be lower-case letters, digits and hyphens')
  id: string;

  @TextField()
  name: string;

  @ChoiceField(STATUSES, { optional: true })
  status?: (typeof STATUSES)[number];

  /** Where the applicant is sent at the end; in the sandbox it may be a path of this service. */
  @TextField({ optional: true, most: MAX_ADDRESS_CHARACTERS })
  returnUrl?: string;

  /** Who is e-mailed when a webhook fails or a key is near its limit. */
  @EmailsField({ most: 5, optional: true })
  alertEmails?: string[];

  /** A PNG that stands beside the name on pages, by its path from this file's folder. */
  @TextField({ optional: true })
  logo?: string;

  /** What the path led to; put here when the file is read, never written in it. */
  declare logoImage?: LogoImage;

  @PartsField(KeySection, { optional: true })
  keys?: KeySection[];
}
