import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import type { Environment, FieldProblem } from '../../platform/index.js';
import { BrandSection } from './brand-section.js';
import { LenderSection } from './lender-section.js';
import { PartField, PartsField, WholeNumberField } from './fields.js';
import { PaymentSection } from './payment-section.js';
import { PartnerSection } from './partner-section.js';
import { ProductSection } from './product-section.js';
import { SettingsSection } from './settings-section.js';
import { SmsSection } from './sms-section.js';
import { mistake } from './placed.js';

const LARGEST_VERSION = 2_147_483_647;

export class Configuration {
  /** An older version is never applied over a newer one. */
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

/** What a configuration is checked against. */
export interface Deployment extends Pick<
  Environment,
  'mode' | 'isLoopback' | 'privateNetworks' | 'sandboxOpen' | 'mail'
> {
  /** The connectors that this build has for the mode. */
  readonly lenderAdapters: readonly string[];
}

/**
 * Unlike a request's, unknown fields are mistakes: a misspelt setting must not count as left out.
 */
export function checkShape(plain: object): { value: Configuration; problems: FieldProblem[] } {
  const value = plainToInstance(Configuration, plain, { exposeUnsetFields: false });
  const errors = validateSync(value, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
    validationError: { target: false, value: false },
  });
  return { value, problems: errors.flatMap((error) => flatten(error, '')) };
}

function flatten(error: ValidationError, prefix: string): FieldProblem[] {
  const field = joined(prefix, error.property);
  const [[rule, message] = ['', undefined]] = Object.entries(error.constraints ?? {});
  const sentence = rule === 'whitelistValidation' ? 'is not a field of this file' : message;
  return [
    ...mistake(field, sentence),
    ...(error.children ?? []).flatMap((child) => flatten(child, field)),
  ];
}

function joined(prefix: string, property: string): string {
  if (/^\d+$/.test(property) && prefix !== '') return `${prefix}[${property}]`;
  return prefix === '' ? property : `${prefix}.${property}`;
}
