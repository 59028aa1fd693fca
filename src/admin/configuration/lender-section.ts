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
import { ContactSection, NamedContactSection } from './contact-section.js';
import { NumberField, WholeNumberField } from './number-fields.js';
import { type OwnText, OwnTextField } from './own-text.js';
import { NamedPartsField, PartField, PartsField, WordsField } from './part-fields.js';
import { PaymentSection } from './payment-section.js';
import { ProductTermsSection } from './product-terms-section.js';
import { ProviderSection } from './provider-section.js';
import type { LogoImage } from './read-logo.js';
import { RemoteSection } from './remote-section.js';

const CODE = /^[a-z][a-z0-9-]{1,59}$/;
const CODE_MESSAGE = 'must be lower-case letters, digits and hyphens';
const CLAUSE_CHARACTERS = 1_000;
const SHORT_NAME_CHARACTERS = 40;
const MAX_MANDATE_PERCENT = 10_000;
const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;
const CLOCK_MESSAGE = "must be a time of the day such as '09:30'";

/** When a branch is open on some days of the week. */
export class OpeningHoursSection {
  @WordsField({ of: WEEKDAYS })
  days: Weekday[];

  @PatternField(CLOCK, CLOCK_MESSAGE)
  opens: string;

  @PatternField(CLOCK, CLOCK_MESSAGE)
  closes: string;
}

export class BranchSection {
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
  @PartsField(OpeningHoursSection, { least: 1, optional: true })
  hours?: OpeningHoursSection[];
}

/** How it asks for applicants' credit reports: before the offer, and once it is chosen. */
export class CreditReportSection {
  @WordsField({ of: CREDIT_BUREAUS, least: 1 })
  bureaus: CreditBureau[];

  @ChoiceField(CREDIT_ENQUIRIES)
  forOffer: CreditEnquiry;

  @ChoiceField(CREDIT_ENQUIRIES)
  afterChoice: CreditEnquiry;
}

/** A lender with its terms. */
export class LenderSection {
  @PatternField(CODE, CODE_MESSAGE)
  code: string;

  /** The legal name. */
  @TextField()
  name: string;

  @PatternField(CODE, CODE_MESSAGE)
  adapter: string;

  /** What it is in law; left out only for lenders that are simulated. */
  @ChoiceField(LENDER_KINDS, { optional: true })
  kind?: LenderKind;

  /** The number under which the RBI has registered it, as applicants are shown it. */
  @TextField({ optional: true })
  registration?: string;

  /** What running text calls it, a part of the legal name. Left out: the legal name. */
  @TextField({ optional: true, most: SHORT_NAME_CHARACTERS })
  shortName?: string;

  /** A PNG in place of its mark, by its path from this file's folder. */
  @TextField({ optional: true })
  logo?: string;

  /** What the path led to; put here when the file is read, never written in it. */
  declare logoImage?: LogoImage;

  /** Where its borrowers can complain after it has answered. Left out: that of its kind. */
  @ChoiceField(OMBUDSMEN, { optional: true })
  ombudsman?: Ombudsman;

  /** Of a lender outside the process. */
  @PartField(RemoteSection, { optional: true })
  remote?: RemoteSection;

  /** Left out: on. */
  @BooleanField({ optional: true })
  enabled?: boolean;

  @PartField(NamedContactSection)
  grievanceOfficer: NamedContactSection;

  /** Where borrowers reach it about their loan. Left out: pages name its grievance officer. */
  @PartField(ContactSection, { optional: true })
  contact?: ContactSection;

  @OwnTextField({ most: CLAUSE_CHARACTERS })
  recoveryAgentsClause: OwnText;

  @OwnTextField({ most: CLAUSE_CHARACTERS })
  grievanceRedressalClause: OwnText;

  @BooleanField()
  mayBeTransferred: boolean;

  /** Left out or null: the lender itself, or whom it names to the borrower. */
  @TextField({ optional: true })
  recoveryAgentLsp?: string;

  /** Left out: the consent says that it is not known. */
  @PartField(CreditReportSection, { optional: true })
  creditReport?: CreditReportSection;

  /** The step after which an applicant can no longer choose another offer. Left out: until they sign. */
  @ChoiceField(BINDING_STEPS, { optional: true })
  bindsAfter?: BindingStep;

  /** The most that one debit of its mandates may have, in percent of the instalment. Left out: pages do not say. */
  @WholeNumberField({ least: 100, most: MAX_MANDATE_PERCENT, optional: true })
  mandateLimitPercent?: number;

  /** What becomes of an instant loan's fee when the lender declines. Left out: it goes back. */
  @ChoiceField(FEES_ON_DECLINE, { optional: true })
  feeOnDecline?: FeeOnDecline;

  /** On whose pages its redirect steps open; applicants read it before they leave. */
  @PartsField(ProviderSection, { optional: true })
  providers?: ProviderSection[];

  /** Into which account the fees of its instant loans go; left out: the operator's. */
  @PartField(PaymentSection, { optional: true })
  payment?: PaymentSection;

  @PartsField(BranchSection, { optional: true })
  branches?: BranchSection[];

  @NamedPartsField(ProductTermsSection)
  products: ReadonlyMap<string, ProductTermsSection>;
}
