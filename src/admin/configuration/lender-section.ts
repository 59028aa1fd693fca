import { BooleanField, ChoiceField, PatternField, TextField } from '../../platform/index.js';
import {
  BINDING_STEPS,
  type BindingStep,
  CREDIT_BUREAUS,
  CREDIT_ENQUIRIES,
  type CreditBureau,
  type CreditEnquiry,
  FEES_ON_DECLINE,
  type FeeOnDecline,
  LENDER_KINDS,
  type LenderKind,
  type Ombudsman,
  OMBUDSMEN,
  type Weekday,
  WEEKDAYS,
} from '../../settings/index.js';
import { ContactSection, NamedContactSection } from './brand-section.js';
import {
  NamedPartsField,
  NumberField,
  PartField,
  PartsField,
  WholeNumberField,
  WordsField,
} from './fields.js';
import { type OwnText, OwnTextField, type PlacedText } from './own-text.js';
import { PaymentSection } from './payment-section.js';
import type { Placed } from './placed.js';
import { ProductTermsSection } from './product-terms-section.js';
import type { LogoImage } from './read-logo.js';
import { ProviderSection, RemoteSection } from './remote-section.js';

const optional = true;
const CODE = /^[a-z][a-z0-9-]{1,59}$/;
const CODE_MESSAGE = 'must be lower-case letters, digits and hyphens';
const CLAUSE_CHARACTERS = 1_000;
const SHORT_NAME_CHARACTERS = 40;
const MAX_MANDATE_PERCENT = 10_000;
const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;
const CLOCK_MESSAGE = "must be a time of the day such as '09:30'";

class OpeningHoursSection {
  @WordsField({ of: WEEKDAYS })
  days: Weekday[];

  @PatternField(CLOCK, CLOCK_MESSAGE)
  opens: string;

  @PatternField(CLOCK, CLOCK_MESSAGE)
  closes: string;
}

class BranchSection {
  @PatternField(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'must be up to 64 letters, digits, _ and -')
  id: string;

  @TextField()
  name: string;

  @TextField()
  address: string;

  @NumberField({ least: -90, most: 90 })
  latitude: number;

  @NumberField({ least: -180, most: 180 })
  longitude: number;

  /** Left out: pages say to ask the lender. */
  @PartsField(OpeningHoursSection, { least: 1, optional })
  hours?: OpeningHoursSection[];
}

export class CreditReportSection {
  @WordsField({ of: CREDIT_BUREAUS, least: 1 })
  bureaus: CreditBureau[];

  @ChoiceField(CREDIT_ENQUIRIES)
  forOffer: CreditEnquiry;

  @ChoiceField(CREDIT_ENQUIRIES)
  afterChoice: CreditEnquiry;
}

export class LenderSection {
  @PatternField(CODE, CODE_MESSAGE)
  code: string;

  /** The legal name. */
  @TextField()
  name: string;

  @PatternField(CODE, CODE_MESSAGE)
  adapter: string;

  /** Required for remote lenders. */
  @ChoiceField(LENDER_KINDS, { optional })
  kind?: LenderKind;

  /** With the RBI, as applicants read it. */
  @TextField({ optional })
  registration?: string;

  /** A part of the legal name. Left out: the legal name. */
  @TextField({ optional, most: SHORT_NAME_CHARACTERS })
  shortName?: string;

  /** A PNG, relative to this file's folder. */
  @TextField({ optional })
  logo?: string;

  /** Set when the file is read. */
  declare logoImage?: LogoImage;

  /** Left out: that of its kind. */
  @ChoiceField(OMBUDSMEN, { optional })
  ombudsman?: Ombudsman;

  /** Of a lender outside the process. */
  @PartField(RemoteSection, { optional })
  remote?: RemoteSection;

  /** Left out: true. */
  @BooleanField({ optional })
  enabled?: boolean;

  @PartField(NamedContactSection)
  grievanceOfficer: NamedContactSection;

  /** Left out: the grievance officer. */
  @PartField(ContactSection, { optional })
  contact?: ContactSection;

  @OwnTextField({ most: CLAUSE_CHARACTERS })
  recoveryAgentsClause: OwnText;

  @OwnTextField({ most: CLAUSE_CHARACTERS })
  grievanceRedressalClause: OwnText;

  @BooleanField()
  mayBeTransferred: boolean;

  /** Left out: the lender itself, or whom it names to the borrower. */
  @TextField({ optional })
  recoveryAgentLsp?: string;

  /** Left out: the consent says that it is unknown. */
  @PartField(CreditReportSection, { optional })
  creditReport?: CreditReportSection;

  /** The step after which no other offer can be chosen. Left out: signing. */
  @ChoiceField(BINDING_STEPS, { optional })
  bindsAfter?: BindingStep;

  /** The highest debit of a mandate, in percent of the instalment. Left out: pages do not say. */
  @WholeNumberField({ least: 100, most: MAX_MANDATE_PERCENT, optional })
  mandateLimitPercent?: number;

  /** Left out: the fee is refunded. */
  @ChoiceField(FEES_ON_DECLINE, { optional })
  feeOnDecline?: FeeOnDecline;

  /** Whose pages its redirect steps open. */
  @PartsField(ProviderSection, { optional })
  providers?: ProviderSection[];

  /** For the fees of its instant loans; left out: the operator's. */
  @PartField(PaymentSection, { optional })
  payment?: PaymentSection;

  @PartsField(BranchSection, { optional })
  branches?: BranchSection[];

  @NamedPartsField(ProductTermsSection)
  products: ReadonlyMap<string, ProductTermsSection>;
}

export function textsOfLender({ path, section }: Placed<LenderSection>): PlacedText[] {
  return [
    { path: `${path}.recoveryAgentsClause`, text: section.recoveryAgentsClause },
    { path: `${path}.grievanceRedressalClause`, text: section.grievanceRedressalClause },
    ...[...section.products].flatMap(([code, terms]) =>
      textsOfTerms(`${path}.products.${code}`, terms),
    ),
  ];
}

function textsOfTerms(path: string, { fees, contingentCharges }: ProductTermsSection) {
  return [
    ...fees.map(({ name }, index) => ({ path: `${path}.fees[${index}].name`, text: name })),
    ...contingentCharges.flatMap(({ name, description }, index) => [
      { path: `${path}.contingentCharges[${index}].name`, text: name },
      { path: `${path}.contingentCharges[${index}].description`, text: description },
    ]),
  ];
}
