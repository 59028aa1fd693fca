import { type GivenLogo, type GivenPartner, type Scope, SCOPES } from '../../auth/index.js';
import {
  ChoiceField,
  PatternField,
  TextField,
  MAX_ADDRESS_CHARACTERS,
} from '../../platform/index.js';
import { EmailsField, PartField, PartsField, WholeNumberField, WordsField } from './fields.js';
import type { LogoImage } from './read-logo.js';

const optional = true;
const PARTNER_ID = /^[a-z0-9][a-z0-9-]{0,59}$/;
const CHANNELS = ['API_HOSTED', 'API_HEADLESS'] as const;
const STATUSES = ['ACTIVE', 'SUSPENDED'] as const;
const MAX_REQUESTS = 1_000_000_000;

class LimitsSection {
  @WholeNumberField({ least: 1, most: MAX_REQUESTS, optional })
  perMinute?: number;

  @WholeNumberField({ least: 1, most: MAX_REQUESTS, optional })
  perDay?: number;
}

export class KeySection {
  @TextField()
  name: string;

  /** Its form is checked with the brand's slug. */
  @TextField()
  apiKey: string;

  @TextField()
  apiSecret: string;

  @WordsField({ of: SCOPES })
  scopes: Scope[];

  /** Product codes. */
  @WordsField()
  products: string[];

  @PartField(LimitsSection, { optional })
  limits?: LimitsSection;

  @ChoiceField(CHANNELS, { optional })
  defaultChannel?: (typeof CHANNELS)[number];

  @TextField({ optional })
  defaultProduct?: string;

  @ChoiceField(STATUSES, { optional })
  status?: (typeof STATUSES)[number];
}

export class PartnerSection {
  @PatternField(PARTNER_ID, 'must be lower-case letters, digits and hyphens')
  id: string;

  @TextField()
  name: string;

  @ChoiceField(STATUSES, { optional })
  status?: (typeof STATUSES)[number];

  /** In the sandbox it may be a path of this service. */
  @TextField({ optional, most: MAX_ADDRESS_CHARACTERS })
  returnUrl?: string;

  /** Notified when a webhook fails or a key is near its limit. */
  @EmailsField({ most: 5, optional })
  alertEmails?: string[];

  /** A PNG, relative to this file's folder. */
  @TextField({ optional })
  logo?: string;

  /** Set when the file is read. */
  declare logoImage?: LogoImage;

  @PartsField(KeySection, { optional })
  keys?: KeySection[];
}

export function partnersOf(sections: readonly PartnerSection[]): GivenPartner[] {
  return sections.map(({ id, name, status, returnUrl, alertEmails }) => ({
    id,
    name,
    status: status ?? 'ACTIVE',
    returnUrl: returnUrl ?? null,
    alertEmails: alertEmails ?? [],
  }));
}

export function partnerLogosOf(sections: readonly PartnerSection[]): GivenLogo[] {
  return sections.flatMap(({ id, logoImage }) =>
    logoImage ? [{ ...logoImage, partnerId: id }] : [],
  );
}
