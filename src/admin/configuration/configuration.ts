import { BrandSection } from './brand-section.js';
import { LenderSection } from './lender-section.js';
import { WholeNumberField } from './number-fields.js';
import { PartField, PartsField } from './part-fields.js';
import { PaymentSection } from './payment-section.js';
import { PartnerSection } from './partner-section.js';
import { ProductSection } from './product-section.js';
import { SettingsSection } from './settings-section.js';
import { SmsSection } from './sms-section.js';

const LARGEST_VERSION = 2_147_483_647;

/** The whole configuration file. */
export class Configuration {
  /** Raised with every change: an older one is never applied over a newer one. */
  @WholeNumberField({ least: 1, most: LARGEST_VERSION })
  version: number;

  @PartField(BrandSection)
  brand: BrandSection;

  @PartField(SettingsSection, { optional: true })
  settings?: SettingsSection;

  @PartField(SmsSection, { optional: true })
  sms?: SmsSection;

  @PartField(PaymentSection, { optional: true })
  payment?: PaymentSection;

  @PartsField(ProductSection, { least: 1 })
  products: ProductSection[];

  @PartsField(LenderSection)
  lenders: LenderSection[];

  @PartsField(PartnerSection)
  partners: PartnerSection[];
}
